import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Capability } from '@foyer/protocol/capabilities'
import type { Events } from '@foyer/protocol/events'
import { MAX_NEWCOMERS } from '@foyer/protocol/limits'
import { Permission } from '@foyer/protocol/permissions'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { eraseAccount } from '#src/people/accounts/erasure.ts'
import { connect } from '#test/gateway-client.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { newestEntry } from '#test/scenes/audit-log.ts'
import { type Answer, createPerson, type Person } from '#test/scenes/people.ts'
import { createRankedPeople, makeRankedSpace, type RankedPeople } from '#test/scenes/ranked-people.ts'
import { assignRole, insertRole, listJournal, setEveryone } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let people: RankedPeople
let guest: Person
let other: Person
let space: TestSpace
let code: string

before(async () => {
  server = await startTestServer()
  people = await createRankedPeople(server)
  guest = await createPerson(server, 'guest')
  other = await createPerson(server, 'other')
})
after(() => server.close())
beforeEach(async () => {
  space = await makeRankedSpace(server, people, Permission.ManageMessages, Capability.KickMembers)
  code = (await people.owner.client.invites.create(space.id, space.general)).code
})

const outcomeOf = ({ status, code }: Answer) => code ?? status
const path = (rest = '') => `/api/spaces/${space.id}/door${rest}`
const join = (person: Person) => person.call('POST', `/api/invites/${code}`).then(outcomeOf)
const close = (minutes = 0) =>
  people.owner.client.door.update(space.id, { closed: true, joined_minutes: minutes })
const open = () => people.owner.client.door.update(space.id, { closed: false })
const isMember = async ({ id }: Person) =>
  people.owner.client.members.get(space.id, id).then(
    () => true,
    () => false,
  )
const waitingOf = async (person: Person) =>
  (await person.client.door.listWaitingSpaces()).map(({ id }) => id).filter((id) => id === space.id)
const newcomers = async () =>
  (await people.owner.client.door.listNewcomers(space.id)).map(({ user }) => user.id)

test('DOOR-1: members with KickMembers, including bots, close the door; others do not see it', async () => {
  const { owner, actor, bot, below, above, outsider } = people
  const tryAll = async (person: Person) => [
    await person.call('GET', path()).then(outcomeOf),
    await person.call('PATCH', path(), { closed: true }).then(outcomeOf),
    await person.call('PATCH', path(), { closed: false }).then(outcomeOf),
    await person.call('GET', path('/newcomers')).then(outcomeOf),
    await person.call('POST', path('/newcomers/let-in')).then(outcomeOf),
    await person.call('POST', path('/newcomers/remove')).then(outcomeOf),
  ]
  for (const person of [owner, actor, bot])
    assert.deepEqual(await tryAll(person), [200, 200, 200, 200, 'unknown_newcomer', 'unknown_newcomer'])
  const before = await listJournal(server, topicOf.space(space.id))
  for (const person of [below, above])
    assert.deepEqual(await tryAll(person), Array(6).fill('missing_permission'))
  assert.deepEqual(await tryAll(outsider), Array(6).fill('not_a_member'))
  assert.deepEqual(await listJournal(server, topicOf.space(space.id)), before)
  const everything = Object.values(Permission).reduce<number>((sum, bit) => sum | bit, 0)
  await setEveryone(server, space.id, everything & ~Permission.Administrator)
  assert.equal(await below.call('PATCH', path(), '{').then(outcomeOf), 'missing_permission')
})

test('DOOR-2: while the door is closed, invites make nobody a member, and those who use one wait', async () => {
  await close()
  assert.equal((await people.owner.client.spaces.get(space.id)).door_closed_at !== null, true)
  assert.equal((await guest.client.invites.get(code)).door_closed, true)
  assert.deepEqual([await join(guest), await join(guest)], ['must_wait', 'must_wait'])
  assert.equal(await isMember(guest), false)
  assert.deepEqual(await newcomers(), [guest.id])
  assert.equal(await join(people.below), 200)
  await open()
  assert.equal((await guest.client.invites.get(code)).door_closed, false)
  assert.equal(await join(other), 200)
})

test('DOOR-2: those who wait go on waiting when the door opens, until a moderator decides', async () => {
  await close()
  await join(guest)
  await open()
  assert.equal(await join(guest), 'must_wait')
  assert.equal(await isMember(guest), false)
})

test('DOOR-2: nobody becomes a member by an invite that was used while the door closed', async () => {
  const lock = await holdLock(server, sql`select from spaces where id = ${space.id} for no key update`)
  const closing = close()
  await lock.waitForBlocked(1)
  const joining = join(guest)
  await lock.waitForBlocked(2)
  await lock.release()
  await closing
  assert.equal(await joining, 'must_wait')
  assert.equal(await isMember(guest), false)
})

test('DOOR-2: more than 5,000 do not wait', async () => {
  await close()
  await server.deps.database.execute(sql`
    insert into newcomers (space_id, user_id, joined_at, was_member)
    select ${space.id}, gen_random_uuid(), now(), false from generate_series(1, ${MAX_NEWCOMERS}::integer)`)
  assert.equal(await join(guest), 'door_closed')
  assert.deepEqual(await waitingOf(guest), [])
})

test('DOOR-3: those who wait are no members, and see of the space what an invite shows', async () => {
  const client = await connect(server, guest)
  await people.owner.client.spaces.update(space.id, { description: 'for tea' })
  await close()
  await join(guest)
  const { d } = await client.findEvent('WAITING_SPACE_CREATE')
  const listed = (await guest.client.door.listWaitingSpaces()).find(({ id }) => id === space.id)
  assert.deepEqual(d, listed)
  const { waiting_since, ...shown } = listed ?? { waiting_since: '' }
  assert.ok(Math.abs(Date.parse(waiting_since) - Date.now()) < 60_000)
  assert.deepEqual(shown, { id: space.id, name: 'Tea', description: 'for tea', icon: null, banner: null })
  client.close()
  const again = await connect(server, guest)
  const ready = await again.findEvent('READY')
  const { waiting_spaces, spaces }: Events['READY'] = JSON.parse(JSON.stringify(ready.d))
  assert.deepEqual(waiting_spaces.at(-1), listed)
  assert.ok(spaces.every(({ id }) => id !== space.id))
  again.close()
  const tries = [
    ['GET', `/api/spaces/${space.id}`],
    ['GET', `/api/spaces/${space.id}/members`],
    ['GET', `/api/rooms/${space.general}/messages`],
    ['POST', `/api/rooms/${space.general}/messages`],
    ['GET', path()],
  ] as const
  for (const [method, url] of tries) assert.equal((await guest.call(method, url)).code, 'not_a_member')
})

test('DOOR-4: those who joined in the last minutes wait when the door closes; others stay', async () => {
  const { owner, below, actor, bot } = people
  await join(guest)
  await join(other)
  const roleId = await insertRole(server, space.id, { permissions: 0, position: 3 })
  await assignRole(server, { spaceId: space.id, userId: other.id, roleId })
  // As if the member without a role had joined long ago.
  await server.deps.database.execute(sql`
    delete from audit_log where space_id = ${space.id} and target_id = ${below.id}`)
  const client = await connect(server, guest)
  await close(1)
  await client.findEvent('SPACE_DELETE')
  await client.findEvent('WAITING_SPACE_CREATE')
  client.close()
  assert.equal(await isMember(guest), false)
  assert.deepEqual(await newcomers(), [guest.id])
  for (const person of [owner, below, actor, other]) assert.equal(await isMember(person), true)
  assert.equal(await isMember(bot), true)
  assert.equal(
    (await guest.call('POST', `/api/rooms/${space.general}/messages`, { content: 'x' })).code,
    'not_a_member',
  )
})

test('DOOR-4: the door that is closed already can hold those who joined before', async () => {
  await join(guest)
  await close()
  assert.equal(await isMember(guest), true)
  await close(5)
  assert.equal(await isMember(guest), false)
})

test('DOOR-5: the door can be left: by those who wait, by a ban, and with the space', async () => {
  const { owner } = people
  await close()
  await join(guest)
  await guest.client.door.leaveDoor(space.id)
  assert.equal(
    (await guest.call('DELETE', `/api/users/@me/waiting-spaces/${space.id}`)).code,
    'unknown_waiting_space',
  )
  assert.deepEqual(await waitingOf(guest), [])
  assert.deepEqual((await owner.client.door.get(space.id)).newcomers, 0)
  const client = await connect(server, guest)
  await join(guest)
  await owner.client.bans.create(space.id, guest.id)
  await client.findEvent('WAITING_SPACE_DELETE')
  assert.deepEqual([await waitingOf(guest), await join(guest)], [[], 'banned'])
  await owner.client.bans.delete(space.id, guest.id)
  await join(guest)
  await owner.client.spaces.delete(space.id)
  await client.find(() => client.heard('WAITING_SPACE_DELETE').length === 2)
  assert.deepEqual(await waitingOf(guest), [])
  const rows = await server.deps.database.query(sql`select from newcomers where space_id = ${space.id}`)
  assert.equal(rows.length, 0)
  client.close()
})

test('DOOR-5: nobody waits whose account is deleted', async () => {
  const leaving = await createPerson(server, 'leaving')
  await close()
  await join(leaving)
  await eraseAccount(server.deps, leaving.id, { close: async () => undefined })
  assert.equal((await people.owner.client.door.get(space.id)).newcomers, 0)
})

test('DOOR-6: the door goes to those who may close it, and that it is closed to all members', async () => {
  const [owner, below] = [await connect(server, people.owner), await connect(server, people.below)]
  const door = await close()
  const { d } = await owner.findEvent('SPACE_DOOR_UPDATE')
  assert.deepEqual(d, door)
  await below.findEvent('SPACE_UPDATE')
  await join(guest)
  await owner.find(() => owner.heard('SPACE_DOOR_UPDATE').length === 2)
  assert.partialDeepStrictEqual(owner.heard('SPACE_DOOR_UPDATE').at(-1)?.d, {
    newcomers: 1,
    cause: 'moderator',
  })
  await below.settle()
  assert.deepEqual(below.heard('SPACE_DOOR_UPDATE'), [])
  assert.ok(below.frames.every(({ text }) => !text.includes(guest.id)))
  for (const client of [owner, below]) client.close()
})

test('DOOR-7: each change of the door has one entry; what changes nothing has none', async () => {
  const { owner, actor } = people
  await actor.client.door.update(space.id, { closed: true })
  const entry = await newestEntry(owner, space.id)
  assert.partialDeepStrictEqual(entry, {
    action: 'door_update',
    actor_id: actor.id,
    before: { closed: false, cause: null },
    after: { closed: true, cause: 'moderator' },
  })
  await close()
  // As if everybody here had joined long ago.
  await server.deps.database.execute(sql`
    delete from audit_log where space_id = ${space.id} and action = 'member_join'`)
  await close(5)
  await actor.client.door.update(space.id, {})
  assert.deepEqual(await newestEntry(owner, space.id), entry)
  await actor.client.door.update(space.id, { sensor: true, sensor_joins: 7 })
  assert.partialDeepStrictEqual(await newestEntry(owner, space.id), {
    before: { sensor: false, sensor_joins: 20 },
    after: { sensor: true, sensor_joins: 7 },
  })
  await open()
  assert.partialDeepStrictEqual(await newestEntry(owner, space.id), { after: { closed: false } })
})

test('DOOR-8: a wrong request for the door is refused and changes nothing', async () => {
  const before = await people.owner.client.door.get(space.id)
  const refused = [
    { closed: 'yes' },
    { closed: null },
    { closed: true, joined_minutes: -1 },
    { closed: true, joined_minutes: 1441 },
    { closed: true, joined_minutes: 1.5 },
    { sensor: 1 },
    { sensor_joins: 4 },
    { sensor_joins: 10_001 },
    { sensor_joins: null },
    '{',
  ]
  for (const body of refused) assert.equal((await people.owner.call('PATCH', path(), body)).status, 400)
  for (const body of [
    { user_ids: [] },
    { user_ids: ['x'] },
    { user_ids: [guest.id, guest.id] },
    { user_ids: null },
  ])
    for (const decision of ['let-in', 'remove'])
      assert.equal((await people.owner.call('POST', path(`/newcomers/${decision}`), body)).status, 400)
  const many = Array.from({ length: 1001 }, () => newId())
  assert.equal((await people.owner.call('POST', path('/newcomers/let-in'), { user_ids: many })).status, 400)
  assert.deepEqual(await people.owner.client.door.get(space.id), before)
})

test('DOOR-9: a space has no sensor unless it is created with one', async () => {
  const { owner } = people
  const plain = await makeSpace(owner)
  assert.partialDeepStrictEqual(await owner.client.door.get(plain.id), { sensor: false, sensor_joins: 20 })
  const { space: watched } = await owner.client.spaces.create({ name: 'Tea', raid_sensor: true })
  assert.equal((await owner.client.door.get(watched.id)).sensor, true)
})
