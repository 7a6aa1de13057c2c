import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Permission } from '@foyer/protocol/permissions'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { type HeldLock, holdLock } from '#test/locks/held-locks.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { createRankedPeople, makeRankedSpace, type RankedPeople } from '#test/scenes/ranked-people.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import type { TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let people: RankedPeople
let newcomer: Person
let space: TestSpace
let code: string

before(async () => {
  server = await startTestServer()
  people = await createRankedPeople(server)
  newcomer = await createPerson(server, 'newcomer')
})
after(() => server.close())

beforeEach(async () => {
  space = await makeRankedSpace(server, people, Permission.Administrator)
  code = (await people.owner.client.invites.create(space.id, space.general)).code
})

function holdSpaceRow(): Promise<HeldLock> {
  return holdLock(server, sql`select from spaces where id = ${space.id} for no key update`)
}

const enter = async (person: Person) => (await person.call('POST', `/api/invites/${code}`)).status
const leave = async (person: Person) =>
  (await person.call('DELETE', `/api/spaces/${space.id}/members/@me`)).status
const kick = async (caller: Person, { id }: Person) =>
  (await caller.call('DELETE', `/api/spaces/${space.id}/members/${id}`)).status
const ban = async (caller: Person, { id }: Person) =>
  (await caller.call('PUT', `/api/spaces/${space.id}/bans/${id}`)).status
const unban = async (caller: Person, { id }: Person) =>
  (await caller.call('DELETE', `/api/spaces/${space.id}/bans/${id}`)).status

/** Queues the calls at the space's lock one after another before any of them gets it. */
async function inOrder(...calls: (() => Promise<number>)[]): Promise<number[]> {
  const lock = await holdSpaceRow()
  const answers: Promise<number>[] = []
  for (const call of calls) {
    answers.push(call())
    await lock.waitForBlocked(answers.length)
  }
  await lock.release()
  return Promise.all(answers)
}

/** Reads from the database: the counted members, the actual ones, and the banned members. */
async function tally() {
  const [row] = await server.deps.database.query(sql`
    select member_count as counted, (select count(*) from members where space_id = ${space.id}) as members,
      (select count(*) from members join bans using (space_id, user_id) where space_id = ${space.id}) as banned
    from spaces where id = ${space.id}`)
  return row
}

/** Returns the join and leave events, in journal order. */
async function comings(): Promise<[string, unknown][]> {
  const journal = await listJournal(server, topicOf.space(space.id))
  return journal
    .filter(({ name }) => name === 'SPACE_MEMBER_CREATE' || name === 'SPACE_MEMBER_DELETE')
    .map(({ name, data }) => [name, Object(data).user_id])
}

test('MEMBER-8: simultaneous kicks, bans, leaves and joins leave the right number of members', async () => {
  const { owner, above, actor, equal, bot, below } = people
  // Pairs only: PostgreSQL promises no order among several waiters for a row that the first of them changes.
  const pairs = [
    [() => kick(owner, below), () => ban(actor, newcomer), [204, 200]],
    [() => leave(equal), () => enter(newcomer), [204, 403]],
    [() => kick(owner, below), () => enter(below), [404, 200]],
    [() => ban(owner, bot), () => leave(above), [200, 204]],
  ] as const
  for (const [first, second, answers] of pairs) assert.deepEqual(await inOrder(first, second), answers)
  assert.deepEqual(await tally(), { counted: 3, members: 3, banned: 0 })
})

test('MEMBER-8: the counts in the journal are right, whatever the order of events', async () => {
  const { owner, actor, bot, equal, below } = people
  const lock = await holdSpaceRow()
  const calls = [
    kick(owner, below),
    kick(actor, below),
    ban(bot, below),
    enter(newcomer),
    enter(newcomer),
    leave(below),
    leave(equal),
    kick(owner, equal),
  ]
  await lock.waitForBlocked(calls.length)
  await lock.release()
  const answers = await Promise.all(calls)
  assert.deepEqual(answers.slice(2, 5), [200, 200, 200])
  assert.deepEqual(await tally(), { counted: 5, members: 5, banned: 0 })
  const came = (await comings()).filter(([name]) => name === 'SPACE_MEMBER_CREATE').length
  const went = (await comings()).filter(([name]) => name === 'SPACE_MEMBER_DELETE')
  assert.deepEqual([came - went.length + 1, went.length], [5, 2])
})

test('MEMBER-8: one of two simultaneous kicks succeeds', async () => {
  const { owner, actor, below } = people
  assert.deepEqual(
    await inOrder(
      () => kick(owner, below),
      () => kick(actor, below),
    ),
    [204, 404],
  )
  assert.deepEqual(await tally(), { counted: 5, members: 5, banned: 0 })
  const gone = (await comings()).filter(([, id]) => id === below.id)
  assert.deepEqual(gone.at(-1)?.[0], 'SPACE_MEMBER_DELETE')
  assert.equal(gone.length, 2)
})

test('MEMBER-8: a member who is given the space while being kicked stays', async () => {
  const { actor, below } = people
  const lock = await holdLock(
    server,
    sql`update spaces set owner_id = ${below.id} where id = ${space.id} returning id`,
  )
  const answers = [kick(actor, below), ban(actor, below)]
  await lock.waitForBlocked(2)
  await lock.release()
  assert.deepEqual(await Promise.all(answers), [403, 403])
  assert.deepEqual(await tally(), { counted: 6, members: 6, banned: 0 })
})

test('BAN-6: a ban before a join prevents it', async () => {
  const { owner } = people
  assert.deepEqual(
    await inOrder(
      () => ban(owner, newcomer),
      () => enter(newcomer),
    ),
    [200, 403],
  )
  assert.deepEqual(await tally(), { counted: 6, members: 6, banned: 0 })
})

test('BAN-6: a ban after a join ends the membership', async () => {
  const { owner } = people
  assert.deepEqual(
    await inOrder(
      () => enter(newcomer),
      () => ban(owner, newcomer),
    ),
    [200, 200],
  )
  assert.deepEqual(await tally(), { counted: 6, members: 6, banned: 0 })
  assert.equal((await newcomer.call('GET', `/api/spaces/${space.id}`)).code, 'not_a_member')
  assert.equal(await enter(newcomer), 403)
})

test('BAN-6: a ban and the addition of a bot at once leave no banned bot', async () => {
  const { owner, bot } = people
  await owner.client.members.kick(space.id, bot.id)
  const add = async () => (await owner.call('PUT', `/api/spaces/${space.id}/bots/${bot.id}`)).status
  assert.deepEqual(await inOrder(() => ban(owner, bot), add), [200, 403])
  assert.deepEqual(
    await inOrder(
      () => unban(owner, bot),
      add,
      () => ban(owner, bot),
    ),
    [204, 200, 200],
  )
  assert.deepEqual(await tally(), { counted: 5, members: 5, banned: 0 })
})

test('BAN-6: both of two simultaneous bans succeed, and one of two simultaneous liftings', async () => {
  const { owner, actor, below } = people
  assert.deepEqual(
    await inOrder(
      () => ban(owner, below),
      () => ban(actor, below),
    ),
    [200, 200],
  )
  assert.deepEqual(await tally(), { counted: 5, members: 5, banned: 0 })
  assert.deepEqual(
    await inOrder(
      () => unban(owner, below),
      () => unban(actor, below),
      () => enter(below),
    ),
    [204, 404, 200],
  )
})
