import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Permission } from '@foyer/protocol/permissions'
import { sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { join, makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { inTime } from './deadline.ts'

const MAX_WAIT_MS = 4000

let server: TestServer
let ada: Person
let space: TestSpace

before(async () => {
  server = await startTestServer()
  ada = await createPerson(server, 'ada')
  space = await makeSpace(ada)
  await ada.client.messages.create(space.general, { content: 'slow' })
  assert.equal(await count(), 1)
})
after(() => server.close())

async function count(): Promise<number> {
  const { messages } = await ada.client.search.space(space.id, { query: 'slow' })
  return messages.length
}

/** Locks the index for longer than transactions may take. */
async function lockIndex(): Promise<() => Promise<void>> {
  const [locked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const done = server.deps.database.transaction(async (transaction) => {
    await transaction.query(sql`set local idle_in_transaction_session_timeout = 0`)
    await transaction.query(sql`lock table message_words in access exclusive mode`)
    locked.resolve()
    await released.promise
  })
  const ended = done.catch((error) => locked.reject(error))
  await locked.promise
  return async () => {
    released.resolve()
    await ended
  }
}

/** Waits until a query waits for the index. */
async function waitForBlocked(): Promise<void> {
  const deadline = Date.now() + MAX_WAIT_MS
  for (;;) {
    const blocked = await server.deps.database.query(sql`
      select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
    if (blocked.length > 0) return
    assert.ok(Date.now() < deadline, 'nobody waits')
    await delay(10)
  }
}

test('SEARCH-5: a user who loses a room during a search gets nothing of it', async () => {
  const eve = await createPerson(server, 'eve')
  await join(eve, ada, space)
  const find = async () => {
    const answer = await eve.client.search.space(space.id, { query: 'slow' })
    return answer.messages.length
  }
  assert.equal(await find(), 1)
  const release = await lockIndex()
  const found = find()
  await waitForBlocked()
  const target = { target_id: eve.id, target_type: 1, allow_flags: 0, deny_flags: Permission.ViewChannels }
  await ada.client.overwrites.upsert(space.id, space.general, target)
  await release()
  assert.equal(await found, 0)
})

test('SEARCH-14: a search over 5 seconds is 503, others do not wait for it, and its connection stays usable', async () => {
  const release = await lockIndex()
  const path = `/api/spaces/${space.id}/messages/search?query=slow`
  const searches = Array.from({ length: 6 }, () => ada.call('GET', path))
  await ada.client.messages.create(space.general, { content: 'sent meanwhile' })
  const answers = await Promise.all(searches)
  for (const { status, code } of answers) assert.deepEqual([status, code], [503, 'search_timeout'])
  await release()
  const counts = await Promise.all(Array.from({ length: 8 }, count))
  assert.deepEqual(
    counts,
    Array.from({ length: 8 }, () => 1),
  )
})

test('SEARCH-11, SEARCH-14: a search is 503, and not incomplete, if indexing or reading takes over 5 seconds', async () => {
  const other = await makeSpace(ada)
  const { id } = await ada.client.messages.create(other.general, { content: 'reacted' })
  await ada.client.reactions.add({ channel: other.general, id }, '👍')
  const search = async (spaceId: string, query: string) => {
    const path = `/api/spaces/${spaceId}/messages/search?query=${query}`
    const { status, code } = await ada.call('GET', path)
    return { status, code }
  }
  const find = async (spaceId: string, query: string) => {
    const { messages } = await ada.client.search.space(spaceId, { query })
    return messages.map(({ content }) => content)
  }
  assert.deepEqual(await find(other.id, 'reacted'), ['reacted'])
  const mark = await holdLock(
    server,
    sql`select from search_marks where tenant_id = ${space.id} and channel_id = ${space.general} for update`,
  )
  const reactions = await holdLock(server, sql`lock table reactions in access exclusive mode`)
  await ada.client.messages.create(space.general, { content: 'unindexed' })
  const late = { status: 503, code: 'search_timeout' }
  const answers = await Promise.all([search(space.id, 'unindexed'), search(other.id, 'reacted')])
  await Promise.all([mark.release(), reactions.release()])
  assert.deepEqual(answers, [late, late])
  assert.deepEqual(await find(space.id, 'unindexed'), ['unindexed'])
  assert.deepEqual(await find(other.id, 'reacted'), ['reacted'])
})

test('SEARCH-14: the time limit of a search applies only to its own statements and its wait for a connection', async () => {
  const { searchReader } = server.deps
  const settings = () =>
    searchReader.run(performance.now() + 10_000, (database) =>
      database.query<{ own: string; reset: string }>(sql`
        select setting as own, reset_val as reset from pg_settings where name = 'statement_timeout'`),
    )
  const [setting] = await settings()
  assert.ok(Number(setting?.own) > 1000 && setting?.reset === '0')
  const ends = Promise.withResolvers<void>()
  const held = Array.from({ length: 4 }, () =>
    searchReader.run(performance.now() + 10_000, () => ends.promise),
  )
  const late = searchReader.run(performance.now() + 100, async () => 'too late')
  await assert.rejects(late, { code: 'search_timeout' })
  ends.resolve()
  await Promise.all(held)
  const sleep = searchReader.run(performance.now() + 100, (database) =>
    database.query(sql`select pg_sleep(20)`),
  )
  await assert.rejects(sleep, { code: 'search_timeout' })
  assert.equal(await count(), 1)
})

test('SEARCH-14: a statement that the database ends before the search does is the same 503', async () => {
  const slow = server.deps.database.transaction(async (transaction) => {
    await transaction.query(sql`set local statement_timeout = 50`)
    await transaction.query(sql`select pg_sleep(20)`)
  })
  await assert.rejects(inTime(performance.now() + 10_000, slow), { code: 'search_timeout' })
})
