import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { MAX_REACTIONS } from '@foyer/protocol/limits'
import type { MessageAddress } from '@foyer/sdk/api/reactions'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { codeOf } from '#test/scenes/messages.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { listJournal } from '#test/scenes/space-rows.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'

let server: TestServer
let owner: Person
let people: Person[]
let space: TestSpace
let message: MessageAddress

before(async () => {
  server = await startTestServer()
  const names = Array.from({ length: 10 }, (_, index) => `person${index}`)
  owner = await createPerson(server, 'owner')
  people = await Promise.all(names.map((name) => createPerson(server, name)))
})
after(() => server.close())
beforeEach(async () => {
  space = await makeSpace(owner)
  const ids = people.map(({ id }) => id)
  await server.deps.database.execute(sql`
    insert into members (space_id, user_id) select ${space.id}, unnest(${ids}::uuid[])`)
  message = await say()
})

async function say(): Promise<MessageAddress> {
  const { id } = await owner.client.messages.create(space.general, { content: 'tea?' })
  return { channel: space.general, id }
}

const kinds = Array.from({ length: MAX_REACTIONS + 5 }, (_, index) => String.fromCodePoint(0x1f600 + index))
const [smile = '', grin = '', wink = ''] = kinds

const react = (method: string, person: Person, emoji: string) =>
  codeOf(person.call(method, `/api/rooms/${space.general}/messages/${message.id}/reactions/${emoji}`))

const messageRow = () => sql`select from messages where id = ${message.id} for update`

async function countRows(): Promise<{ reactions: number; counts: number } | undefined> {
  const [row] = await server.deps.database.query<{ reactions: number; counts: number }>(sql`
    select (select count(*) from reactions where channel_id = ${space.general}) as reactions,
      (select count(*) from reaction_counts where channel_id = ${space.general}) as counts`)
  return row
}

/** Checks the stored count of each emoji against its reactions. Returns the counts. */
async function checkCounts(): Promise<Record<string, number>> {
  const counts = await server.deps.database.query<{ emoji: string; kept: number; there: number }>(sql`
    select coalesce(counted.emoji, found.emoji) as emoji, coalesce(counted.count, 0) as kept,
      coalesce(found.count, 0) as there
    from (select emoji, count from reaction_counts where message_id = ${message.id}) as counted
    full join (select emoji, count(*) from reactions where message_id = ${message.id} group by emoji) as found
      using (emoji)`)
  for (const { emoji, kept, there } of counts) assert.equal(kept, there, emoji)
  return Object.fromEntries(counts.map(({ emoji, kept }) => [emoji, kept]))
}

test('REACTION-4: counts are right after 50 simultaneous reactions and as many removals', async () => {
  const lock = await holdLock(server, messageRow())
  const adding = people.flatMap((person) =>
    [smile, smile, grin, wink, wink].map((emoji) => react('PUT', person, emoji)),
  )
  await lock.waitForBlocked(8)
  await lock.release()
  assert.deepEqual(new Set(await Promise.all(adding)), new Set([204]))
  assert.deepEqual(await checkCounts(), { [smile]: 10, [grin]: 10, [wink]: 10 })
  const half = people.slice(0, 5)
  const changing = [
    ...people.flatMap((person) => [react('DELETE', person, grin), react('DELETE', person, grin)]),
    ...half.flatMap((person) => [react('DELETE', person, wink), react('PUT', person, kinds[3] ?? '')]),
  ]
  assert.deepEqual(new Set(await Promise.all(changing)), new Set([204]))
  assert.deepEqual(await checkCounts(), { [smile]: 10, [wink]: 5, [kinds[3] ?? '']: 5 })
  const journal = await listJournal(server, topicOf.room(space.id, space.general))
  const told = journal
    .filter(({ name }) => name.startsWith('MESSAGE_REACTION'))
    .map(({ data }) => Object(data))
  const winks = told.filter(({ emoji }) => emoji === wink).map(({ count }) => count)
  assert.deepEqual(winks, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 9, 8, 7, 6, 5])
})

test('REACTION-4: simultaneous adding and removing leaves the right count', async () => {
  const [ada] = people
  assert.ok(ada)
  for (let round = 0; round < 5; round += 1)
    await Promise.all(['PUT', 'DELETE', 'PUT', 'DELETE'].map((method) => react(method, ada, smile)))
  const counts = await checkCounts()
  const { reactions } = await ada.client.messages.get(space.general, message.id)
  assert.deepEqual(reactions, smile in counts ? [{ emoji: smile, count: 1, me: true }] : [])
  await react('DELETE', ada, smile)
  assert.deepEqual(await countRows(), { reactions: 0, counts: 0 })
})

test('REACTION-3: 20 kinds are accepted, however many new ones arrive at once', async () => {
  for (const emoji of kinds.slice(0, MAX_REACTIONS - 2)) await react('PUT', owner, emoji)
  const lock = await holdLock(server, messageRow())
  const late = kinds.slice(MAX_REACTIONS - 2)
  const attempts = late.map((emoji, index) => react('PUT', people[index] ?? owner, emoji))
  await lock.waitForBlocked(late.length)
  await lock.release()
  const answers = await Promise.all(attempts)
  const taken = answers.filter((answer) => answer === 204)
  assert.deepEqual([taken.length, new Set(answers)], [2, new Set([204, '400 too_many_reactions'])])
  assert.equal(Object.keys(await checkCounts()).length, MAX_REACTIONS)
})

const ends: Record<string, () => Promise<unknown>> = {
  'its message is deleted': () => owner.client.messages.delete(space.general, message.id),
  'its message is deleted in bulk': async () => {
    const other = await say()
    const path = `/api/rooms/${space.general}/messages/bulk-delete`
    return owner.call('POST', path, { ids: [message.id, other.id] })
  },
  'its room is deleted': () => owner.client.rooms.delete(space.id, space.general),
}

for (const [name, end] of Object.entries(ends)) {
  // Deleting a room does not change the message, and may be done before anyone waits.
  const isAtMessage = name !== 'its room is deleted'
  test(`REACTION-8: a reaction at the moment when ${name} leaves nothing behind`, async () => {
    await react('PUT', owner, smile)
    const lock = await holdLock(server, messageRow())
    const before = people.slice(0, 4).map((person) => react('PUT', person, grin))
    await lock.waitForBlocked(4)
    const ending = end()
    if (isAtMessage) await lock.waitForBlocked(5)
    const during = people.slice(4, 8).map((person) => react('PUT', person, grin))
    if (isAtMessage) await lock.waitForBlocked(8)
    await lock.release()
    await ending
    const codes = new Set(await Promise.all([...before, ...during]))
    for (const code of [204, '404 unknown_message', '404 unknown_room', '403 missing_permission'])
      codes.delete(code)
    assert.deepEqual([...codes], [])
    await untilGone()
    assert.deepEqual(await countRows(), { reactions: 0, counts: 0 })
  })
}

/** Waits until the job has swept the room. */
async function untilGone(): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('the message is still there')), 20_000)
  const look = async (): Promise<void> => {
    const rows = await server.deps.database.query(sql`
      select id from messages where id = ${message.id}
      union all select message_id from reactions where channel_id = ${space.general}`)
    if (rows.length > 0) return new Promise((resolve) => setTimeout(resolve, 50)).then(look)
  }
  await Promise.race([look(), late]).finally(() => clearTimeout(timer))
}
