import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { MAX_WORKING_INVITES } from '@foyer/protocol/limits'
import { Permission } from '@foyer/protocol/permissions'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let owner: Person
let guest: Person
let count = 0
let spaceId: string
let roomId: string
let code: string
let inviteId: string

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

beforeEach(async () => {
  count += 1
  owner = await createPerson(server, `owner${count}`)
  guest = await createPerson(server, `guest${count}`)
  const { space, rooms } = await owner.client.spaces.create({ name: 'Rush' })
  spaceId = space.id
  roomId = rooms[1]?.id ?? ''
  const invite = await owner.client.invites.create(spaceId, roomId)
  code = invite.code
  inviteId = invite.id
})

const join = async (person: Person) => (await person.call('POST', `/api/invites/${code}`)).status
const leave = async (person: Person) =>
  (await person.call('DELETE', `/api/spaces/${spaceId}/members/@me`)).status
const revoke = async () => (await owner.call('DELETE', `/api/spaces/${spaceId}/invites/${inviteId}`)).status
const create = async () => (await owner.call('POST', `/api/spaces/${spaceId}/rooms/${roomId}/invites`)).status

function holdSpaceRow() {
  return holdLock(server, sql`select from spaces where id = ${spaceId} for no key update`)
}

function holdInviteRow() {
  return holdLock(server, sql`select from invites where id = ${inviteId} for no key update`)
}

/** Reads from the database: the counted and the actual members of the space, and the invite's uses. */
async function tally() {
  const [row] = await server.deps.database.query(sql`
    select member_count as counted, (select count(*) from members where space_id = ${spaceId}) as members,
      (select uses from invites where space_id = ${spaceId} and id = ${inviteId}) as uses
    from spaces where id = ${spaceId}`)
  return row
}

async function namesOf(name: string): Promise<number> {
  const journal = await listJournal(server, topicOf.space(spaceId))
  return journal.filter((entry) => entry.name === name).length
}

test('INVITE-14: joining twice at once makes one member, announced once, and counts one use', async () => {
  const lock = await holdSpaceRow()
  const joins = [join(guest), join(guest), join(guest)]
  await lock.waitForBlocked(3)
  await lock.release()
  assert.deepEqual(await Promise.all(joins), [200, 200, 200])
  assert.deepEqual(await tally(), { counted: 2, members: 2, uses: 1 })
  assert.equal(await namesOf('SPACE_MEMBER_CREATE'), 1)
})

test('INVITE-14: many simultaneous joins are each counted', async () => {
  const people = await Promise.all(
    Array.from({ length: 8 }, (_, index) => createPerson(server, `crowd${count}.${index}`)),
  )
  const lock = await holdSpaceRow()
  const joins = people.map(join)
  await lock.waitForBlocked(people.length)
  await lock.release()
  assert.deepEqual(new Set(await Promise.all(joins)), new Set([200]))
  assert.deepEqual(await tally(), { counted: 9, members: 9, uses: 8 })
})

test('INVITE-15: a join that a revocation overtakes is 404, and makes no member', async () => {
  const lock = await holdInviteRow()
  const revoked = revoke()
  await lock.waitForBlocked(1)
  const joined = join(guest)
  await lock.waitForBlocked(2)
  await lock.release()
  assert.deepEqual(await Promise.all([revoked, joined]), [204, 404])
  assert.deepEqual(await tally(), { counted: 1, members: 1, uses: null })
  assert.equal(await namesOf('SPACE_MEMBER_CREATE'), 0)
})

test('INVITE-15: a revocation waits for a join that came before it', async () => {
  const lock = await holdInviteRow()
  const joined = join(guest)
  await lock.waitForBlocked(1)
  const revoked = revoke()
  await lock.waitForBlocked(2)
  await lock.release()
  assert.deepEqual(await Promise.all([joined, revoked]), [200, 204])
  assert.deepEqual(await tally(), { counted: 2, members: 2, uses: null })
})

test('INVITE-15: one of two simultaneous revocations finds the invite', async () => {
  const lock = await holdInviteRow()
  const revoked = [revoke(), revoke()]
  await lock.waitForBlocked(2)
  await lock.release()
  assert.deepEqual((await Promise.all(revoked)).toSorted(), [204, 404])
  assert.equal(await namesOf('SPACE_INVITE_DELETE'), 1)
})

test('MEMBER-8: leaving and joining at once are serialized', async () => {
  await join(guest)
  const lock = await holdSpaceRow()
  const left = leave(guest)
  await lock.waitForBlocked(1)
  const joined = join(guest)
  await lock.waitForBlocked(2)
  await lock.release()
  assert.deepEqual(await Promise.all([left, joined]), [204, 200])
  assert.deepEqual(await tally(), { counted: 2, members: 2, uses: 2 })
  assert.equal((await guest.client.spaces.get(spaceId)).id, spaceId)
})

test('MEMBER-8: one of two simultaneous leaves by the same member succeeds', async () => {
  await join(guest)
  const lock = await holdSpaceRow()
  const left = [leave(guest), leave(guest)]
  await lock.waitForBlocked(2)
  await lock.release()
  assert.deepEqual((await Promise.all(left)).toSorted(), [204, 403])
  assert.deepEqual(await tally(), { counted: 1, members: 1, uses: 1 })
  assert.equal(await namesOf('SPACE_MEMBER_DELETE'), 1)
})

test('MEMBER-8: a member who is given the space while leaving it stays', async () => {
  await join(guest)
  const lock = await holdLock(
    server,
    sql`update spaces set owner_id = ${guest.id} where id = ${spaceId} returning id`,
  )
  const left = leave(guest)
  await lock.waitForBlocked(1)
  await lock.release()
  assert.equal(await left, 403)
  assert.deepEqual(await tally(), { counted: 2, members: 2, uses: 1 })
})

test('INVITE-3: a user who loses the permission before the invite is created creates none', async () => {
  await join(guest)
  const lock = await holdLock(
    server,
    sql`with changed as (update roles set permissions = 2 where space_id = ${spaceId})
      select from spaces where id = ${spaceId} for no key update`,
  )
  const created = guest.call('POST', `/api/spaces/${spaceId}/rooms/${roomId}/invites`)
  await lock.waitForBlocked(1)
  await lock.release()
  assert.equal((await created).code, 'missing_permission')
  assert.equal(await namesOf('SPACE_INVITE_CREATE'), 1)
})

test('INVITE-5: a user who loses the permission before the invite is revoked leaves it working', async () => {
  await join(guest)
  await owner.client.roles.update(spaceId, spaceId, {
    permissions: Permission.ViewChannels | Permission.ManageInvites,
  })
  const lock = await holdLock(
    server,
    sql`with changed as (update roles set permissions = 2 where space_id = ${spaceId})
      select from spaces where id = ${spaceId} for no key update`,
  )
  const revoked = guest.call('DELETE', `/api/spaces/${spaceId}/invites/${inviteId}`)
  await lock.waitForBlocked(1)
  await lock.release()
  assert.equal((await revoked).code, 'missing_permission')
  assert.equal((await owner.client.invites.list(spaceId)).length, 1)
  assert.equal(await namesOf('SPACE_INVITE_DELETE'), 0)
})

test('INVITE-16: a space has at most 1000 working invites, however many are created at once', async () => {
  await server.deps.database.execute(sql`
    insert into invites (space_id, id, code, room_id, inviter_id, max_age)
    select ${spaceId}, gen_random_uuid(), 'bulk' || n, ${roomId}, ${owner.id}, 0
    from generate_series(1, ${MAX_WORKING_INVITES - 11}::integer) n`)
  const lock = await holdSpaceRow()
  const created = Array.from({ length: 30 }, create)
  await lock.waitForBlocked(8)
  await lock.release()
  const statuses = await Promise.all(created)
  assert.equal(statuses.filter((status) => status === 200).length, 10)
  assert.equal(statuses.filter((status) => status === 400).length, 20)
  const refused = await owner.call('POST', `/api/spaces/${spaceId}/rooms/${roomId}/invites`)
  assert.deepEqual([refused.status, refused.code], [400, 'too_many_invites'])
  const listed = await owner.client.invites.list(spaceId)
  assert.equal(listed.length, MAX_WORKING_INVITES)

  await owner.client.invites.revoke(spaceId, listed[0]?.id ?? '')
  await server.deps.database.execute(sql`
    update invites set expires_at = now() where space_id = ${spaceId} and id = ${listed[1]?.id}`)
  assert.deepEqual([await create(), await create(), await create()], [200, 200, 400])
})
