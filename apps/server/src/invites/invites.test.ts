import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { DEFAULT_PERMISSIONS, Permission } from '@foyer/protocol/permissions'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { assignRole, insertOverwrite, insertRole, listJournal, setEveryone } from '#test/scenes/space-rows.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

const { CreateInvites, ManageInvites, ViewChannels } = Permission

let server: TestServer
let owner: Person
let guest: Person
let stranger: Person
let count = 0
let spaceId: string
let roomId: string

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

beforeEach(async () => {
  count += 1
  owner = await createPerson(server, `owner${count}`)
  guest = await createPerson(server, `guest${count}`)
  stranger = await createPerson(server, `stranger${count}`)
  const { space, rooms } = await owner.client.spaces.create({ name: 'Bar' })
  spaceId = space.id
  roomId = rooms[1]?.id ?? ''
  const { code } = await owner.client.invites.create(spaceId, roomId)
  await guest.client.invites.join(code)
})

function invitesPath(room = roomId, space = spaceId): string {
  return `/api/spaces/${space}/rooms/${room}/invites`
}

test('INVITE-1: an invite has ten unambiguous characters, and works until it is revoked or max_age has passed', async () => {
  const invite = await guest.client.invites.create(spaceId, roomId)
  const { id, code, created_at, ...rest } = invite
  assert.match(code, /^[2-9A-HJ-NP-Za-km-z]{10}$/)
  assert.deepEqual(rest, {
    space_id: spaceId,
    room_id: roomId,
    inviter_id: guest.id,
    max_age: 0,
    max_uses: 0,
    temporary: false,
    uses: 0,
    expires_at: null,
  })
  const zero = await guest.client.invites.create(spaceId, roomId, { max_age: 0 })
  assert.equal(zero.expires_at, null)
  for (const max_age of [1, 604_800]) {
    const limited = await guest.client.invites.create(spaceId, roomId, { max_age })
    const lifetime = Date.parse(limited.expires_at ?? '') - Date.parse(limited.created_at)
    assert.deepEqual([limited.max_age, lifetime], [max_age, max_age * 1000])
  }
})

test('INVITE-2: the body may be omitted; otherwise it has an integer max_age from 0 to 604800', async () => {
  assert.equal((await guest.call('POST', invitesPath())).status, 200)
  assert.equal((await guest.call('POST', invitesPath(), {})).status, 200)
  assert.equal((await guest.call('POST', invitesPath(), { unknown: 1 })).status, 200)
  const before = await owner.client.invites.list(spaceId)
  for (const max_age of [-1, 604_801, '60', 1.5, null, true, [60], 1e300]) {
    const answer = await guest.call('POST', invitesPath(), { max_age })
    assert.equal(answer.status, 400, JSON.stringify(max_age))
    assert.match(JSON.stringify(answer.body), /^\{"error":"max_age /)
  }
  for (const body of ['null', '[]', '60', '{', '{"max_age":1e999}'])
    assert.equal((await guest.call('POST', invitesPath(), body)).status, 400, body)
  assert.deepEqual(await owner.client.invites.list(spaceId), before)
})

test('INVITE-3: inviting requires CreateInvites and ViewChannels in that room', async () => {
  const overwrite = { room_id: roomId, target_id: guest.id, target_type: 1 }
  assert.equal((await guest.call('POST', invitesPath())).status, 200)
  await setEveryone(server, spaceId, DEFAULT_PERMISSIONS & ~CreateInvites)
  const refused = await guest.call('POST', invitesPath(), 'not even JSON')
  assert.deepEqual([refused.status, refused.code], [403, 'missing_permission'])
  await insertOverwrite(server, spaceId, { ...overwrite, allow_flags: CreateInvites, deny_flags: 0 })
  assert.equal((await guest.call('POST', invitesPath())).status, 200)
  await insertOverwrite(server, spaceId, {
    ...overwrite,
    target_id: spaceId,
    target_type: 0,
    allow_flags: 0,
    deny_flags: ViewChannels,
  })
  assert.equal((await guest.call('POST', invitesPath())).code, 'missing_permission')
  assert.equal((await owner.call('POST', invitesPath())).status, 200)
})

test('INVITE-3: a room that is not in the space is 404, for members only', async () => {
  const other = await stranger.client.spaces.create({ name: 'Other' })
  for (const foreign of [other.rooms[1]?.id ?? '', newId(), spaceId]) {
    const answer = await guest.call('POST', invitesPath(foreign))
    assert.deepEqual([answer.status, answer.code], [404, 'unknown_room'])
  }
  for (const room of [roomId, other.rooms[1]?.id ?? '', newId()]) {
    const answer = await stranger.call('POST', invitesPath(room), 'not even JSON')
    assert.deepEqual([answer.status, answer.code], [403, 'not_a_member'])
  }
  assert.equal((await guest.call('POST', invitesPath('x'))).status, 400)
})

test('INVITE-4: members with ManageInvites list the working invites, newest first', async () => {
  const first = await guest.client.invites.create(spaceId, roomId)
  const second = await owner.client.invites.create(spaceId, roomId, { max_age: 60 })
  assert.equal((await guest.call('GET', `/api/spaces/${spaceId}/invites`)).code, 'missing_permission')
  const roleId = await insertRole(server, spaceId, { permissions: ManageInvites, position: 1 })
  await assignRole(server, { spaceId, userId: guest.id, roleId })
  const [newest, older, oldest, ...more] = await guest.client.invites.list(spaceId)
  assert.deepEqual([newest, older, more], [second, first, []])
  assert.equal(oldest?.uses, 1)
})

test('INVITE-5: members with ManageInvites revoke an invite, which stops working at once', async () => {
  const { id, code } = await guest.client.invites.create(spaceId, roomId)
  const path = `/api/spaces/${spaceId}/invites/${id}`
  assert.equal((await owner.call('DELETE', path)).status, 204)
  const answers = [
    await stranger.call('GET', `/api/invites/${code}`),
    await stranger.call('POST', `/api/invites/${code}`),
    await guest.call('POST', `/api/invites/${code}`),
    await owner.call('DELETE', path),
  ]
  for (const { status, code } of answers) assert.deepEqual([status, code], [404, 'unknown_invite'])
  const listed = await owner.client.invites.list(spaceId)
  assert.ok(listed.length > 0 && listed.every((invite) => invite.id !== id))
})

test('INVITE-5: every id is the same 403 without ManageInvites, and invites of other spaces are 404', async () => {
  const { id } = await owner.client.invites.create(spaceId, roomId)
  const path = `/api/spaces/${spaceId}/invites`
  for (const inviteId of [id, newId()]) {
    assert.equal((await guest.call('DELETE', `${path}/${inviteId}`)).code, 'missing_permission')
    assert.equal((await stranger.call('DELETE', `${path}/${inviteId}`)).code, 'not_a_member')
  }
  const other = await stranger.client.spaces.create({ name: 'Other' })
  const foreign = await stranger.call('DELETE', `/api/spaces/${other.space.id}/invites/${id}`)
  assert.deepEqual([foreign.status, foreign.code], [404, 'unknown_invite'])
  assert.equal((await owner.call('DELETE', `${path}/x`)).status, 400)
  assert.ok((await owner.client.invites.list(spaceId)).some((invite) => invite.id === id))
})

test('INVITE-6: members with ManageInvites receive the events', async () => {
  const before = await listJournal(server, topicOf.space(spaceId))
  const invite = await guest.client.invites.create(spaceId, roomId)
  await owner.client.invites.revoke(spaceId, invite.id)
  const journal = await listJournal(server, topicOf.space(spaceId))
  const revoked = { space_id: spaceId, invite_id: invite.id, code: invite.code }
  assert.deepEqual(journal.slice(before.length), [
    { name: 'SPACE_INVITE_CREATE', audience: ManageInvites, data: invite },
    { name: 'SPACE_INVITE_DELETE', audience: ManageInvites, data: revoked },
  ])
})
