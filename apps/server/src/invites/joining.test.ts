import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Permission } from '@foyer/protocol/permissions'
import { upkeepJobs } from '#src/jobs/upkeep.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { callAsNobody, createBot, createPerson, type Person } from '#test/scenes/people.ts'
import { insertOverwrite, listJournal } from '#test/scenes/space-rows.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let owner: Person
let guest: Person
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
  const { space, rooms } = await owner.client.spaces.create({ name: 'Bar', description: 'Open late' })
  spaceId = space.id
  roomId = rooms[1]?.id ?? ''
})

async function expire(code: string): Promise<void> {
  await server.deps.database.execute(sql`
    update invites set expires_at = now() - interval '1 millisecond' where code = ${code}`)
}

test('INVITE-7: anyone with the code can see where it leads, without an account', async () => {
  const { code, expires_at } = await owner.client.invites.create(spaceId, roomId, { max_age: 60 })
  const inviter = await owner.client.members.get(spaceId, owner.id)
  const answer = await callAsNobody(server, 'GET', `/api/invites/${code}`)
  assert.deepEqual(answer, {
    status: 200,
    code: null,
    body: {
      code,
      space: { id: spaceId, name: 'Bar', description: 'Open late', icon: null, banner: null },
      room: { id: roomId, name: 'general', type: 1 },
      inviter: inviter.user,
      member_count: 1,
      expires_at,
      door_closed: false,
    },
  })
})

test('INVITE-7: an invalid code is 404', async () => {
  const { code } = await owner.client.invites.create(spaceId, roomId)
  const wrong = [
    code.toLowerCase() === code ? code.toUpperCase() : code.toLowerCase(),
    `${code}x`,
    '%25',
    "'--",
  ]
  for (const path of wrong.map((given) => `/api/invites/${given}`)) {
    assert.equal((await callAsNobody(server, 'GET', path)).code, 'unknown_invite', path)
    assert.equal((await guest.call('POST', path)).code, 'unknown_invite', path)
  }
  for (const path of [`/api/invites/${'x'.repeat(65)}`, '/api/invites/a%00b'])
    assert.equal((await callAsNobody(server, 'GET', path)).status, 400, path)
})

test('INVITE-8: joining makes a member, counts a use, and notifies the space and the new member', async () => {
  const invite = await owner.client.invites.create(spaceId, roomId)
  const before = await listJournal(server, topicOf.space(spaceId))
  assert.equal((await guest.call('GET', `/api/spaces/${spaceId}`)).code, 'not_a_member')
  const space = await guest.client.invites.join(invite.code)
  assert.deepEqual(space, await guest.client.spaces.get(spaceId))

  const member = await guest.client.members.get(spaceId, guest.id)
  const journal = await listJournal(server, topicOf.space(spaceId))
  assert.deepEqual(journal.slice(before.length), [
    { name: 'SPACE_MEMBER_CREATE', audience: 0, data: { ...member, member_count: 2 } },
  ])
  const [told, ...others] = await listJournal(server, topicOf.user(guest.id))
  assert.equal(told?.name, 'SPACE_CREATE')
  const rooms = await guest.client.rooms.list(spaceId)
  const { user: _user, position: _position, ...own } = member
  assert.partialDeepStrictEqual(told?.data, { ...space, rooms, member: own, member_count: 2 })
  assert.deepEqual(others, [])
  const [listed] = await owner.client.invites.list(spaceId)
  assert.equal(listed?.uses, 1)
})

test('INVITE-8: joining again by any invite has no effect', async () => {
  const first = await owner.client.invites.create(spaceId, roomId)
  const second = await owner.client.invites.create(spaceId, roomId)
  const space = await guest.client.invites.join(first.code)
  const before = await listJournal(server, topicOf.space(spaceId))
  for (const { code } of [first, second]) assert.deepEqual(await guest.client.invites.join(code), space)
  assert.deepEqual(await owner.client.invites.join(second.code), space)
  assert.deepEqual(await listJournal(server, topicOf.space(spaceId)), before)
  assert.equal((await owner.client.invites.get(first.code)).member_count, 2)
  const invites = await owner.client.invites.list(spaceId)
  assert.deepEqual(new Map(invites.map(({ code, uses }) => [code, uses])).get(first.code), 1)
  assert.deepEqual(new Map(invites.map(({ code, uses }) => [code, uses])).get(second.code), 0)
})

test('INVITE-9: bots and strangers without an account cannot join', async () => {
  const bot = await createBot(server, `bot${count}`)
  const { code } = await owner.client.invites.create(spaceId, roomId)
  for (const path of [`/api/invites/${code}`, '/api/invites/unknown']) {
    const refused = await bot.call('POST', path)
    assert.deepEqual([refused.status, refused.code], [403, 'bots_not_allowed'])
    assert.equal((await callAsNobody(server, 'POST', path)).status, 401)
  }
  assert.equal((await owner.client.invites.get(code)).member_count, 1)
})

test('INVITE-10: an expired invite is 404, also for members', async () => {
  const { id, code } = await owner.client.invites.create(spaceId, roomId, { max_age: 60 })
  assert.equal((await owner.client.invites.list(spaceId)).length, 1)
  await expire(code)
  const answers = [
    await callAsNobody(server, 'GET', `/api/invites/${code}`),
    await guest.call('POST', `/api/invites/${code}`),
    await owner.call('POST', `/api/invites/${code}`),
    await owner.call('DELETE', `/api/spaces/${spaceId}/invites/${id}`),
  ]
  for (const { status, code } of answers) assert.deepEqual([status, code], [404, 'unknown_invite'])
  assert.deepEqual(await owner.client.invites.list(spaceId), [])
})

test('INVITE-10: upkeep deletes expired invites and no others', async () => {
  const expired = await owner.client.invites.create(spaceId, roomId, { max_age: 60 })
  await owner.client.invites.create(spaceId, roomId, { max_age: 60 })
  await owner.client.invites.create(spaceId, roomId)
  await expire(expired.code)
  assert.equal(await countRows(), 3)
  const { handlers, schedule } = upkeepJobs(server.deps)
  await handlers.sweep?.({})
  assert.equal(await countRows(), 2)
  assert.ok(schedule.includes('*/10 * * * * sweep'), 'the hour is kept')
})

async function countRows(): Promise<number> {
  const [row] = await server.deps.database.query<{ count: number }>(
    sql`select count(*) from invites where space_id = ${spaceId}`,
  )
  return row?.count ?? 0
}

test('INVITE-11: an invite outlives the membership of its creator', async () => {
  await guest.client.invites.join((await owner.client.invites.create(spaceId, roomId)).code)
  const { code } = await guest.client.invites.create(spaceId, roomId)
  await guest.client.members.leave(spaceId)
  const late = await createPerson(server, `late${count}`)
  assert.equal((await late.client.invites.get(code)).inviter.id, guest.id)
  assert.equal((await late.client.invites.join(code)).id, spaceId)
})

test('INVITE-12: an invite to a hidden room names the room, and opens only the space', async () => {
  const { code } = await owner.client.invites.create(spaceId, roomId)
  await insertOverwrite(server, spaceId, {
    room_id: roomId,
    target_id: spaceId,
    target_type: 0,
    allow_flags: 0,
    deny_flags: Permission.ViewChannels,
  })
  assert.equal((await guest.client.invites.get(code)).room.name, 'general')
  await guest.client.invites.join(code)
  const rooms = await guest.client.rooms.list(spaceId)
  assert.ok(rooms.length > 0 && rooms.every((room) => room.id !== roomId))
})
