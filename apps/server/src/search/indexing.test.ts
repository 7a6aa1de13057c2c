import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Place } from '#src/channels/place.ts'
import { readConfig } from '#src/config.ts'
import type { Transaction } from '#src/kernel/database/database.ts'
import { createLog } from '#src/kernel/log.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { type RunningServer, startServer } from '#src/start.ts'
import { createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace, type TestSpace } from '#test/scenes/spaces.ts'
import { type SharedServer, startSharedServer } from '#test/shared-server.ts'
import { indexBatch } from './indexing.ts'

const MAX_WAIT_MS = 10_000

let server: SharedServer
let ada: Person
let space: TestSpace
let place: Place

before(async () => {
  server = await startSharedServer(readConfig({ PORT: '0', RATE_LIMITS: 'off' }))
  ada = await createPerson(server, 'ada')
  space = await makeSpace(ada)
  place = { tenantId: space.id, channelId: space.general }
})
after(() => server.close())

const say = (content: string) => ada.client.messages.create(space.general, { content })

async function find(query: string, person = ada): Promise<string[]> {
  const { messages } = await person.client.search.space(space.id, { query })
  return messages.map(({ content }) => content)
}

async function listIndexedIds(): Promise<string[]> {
  const rows = await server.deps.database.query<{ id: string }>(sql`
    select id from message_words where tenant_id = ${space.id} and channel_id = ${space.general} order by id`)
  return rows.map(({ id }) => id)
}

async function until(isTrue: () => Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + MAX_WAIT_MS
  while (!(await isTrue())) {
    assert.ok(Date.now() < deadline, what)
    await delay(10)
  }
}

/** Waits until `count` queries wait for a lock. */
async function waitForBlocked(count: number): Promise<void> {
  await until(async () => {
    const [row] = await server.deps.database.query<{ blocked: number }>(sql`
      select count(*) as blocked from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`)
    return (row?.blocked ?? 0) >= count
  }, 'somebody waits for the lock')
}

/** Runs `work` with another server of the installation, and the same person there. */
async function withAnother(work: (other: RunningServer, person: Person) => Promise<void>): Promise<void> {
  const other = await startServer({ ...server.shared, log: createLog('silent') })
  try {
    await work(other, await createPerson(other, `guest_${other.url.replaceAll(/\D/g, '')}`))
  } finally {
    await other.close()
  }
}

interface TakenMark {
  /** Indexes the room as the indexer does, without committing. */
  index(): Promise<void>
  /** Commits the transaction. */
  release(): Promise<void>
}

/** Takes the room's mark as the indexer does before reading: until it is released, nobody else indexes. */
async function takeMark(): Promise<TakenMark> {
  const [taken, released] = [Promise.withResolvers<Transaction>(), Promise.withResolvers<void>()]
  const done = server.deps.database.transaction(async (transaction) => {
    await transaction.query(sql`
      select from search_marks where tenant_id = ${space.id} and channel_id = ${space.general} for update`)
    taken.resolve(transaction)
    await released.promise
  })
  done.catch(taken.reject)
  const transaction = await taken.promise
  return {
    async index() {
      const finished = await indexBatch(transaction, [place])
      assert.deepEqual(finished, [place])
    },
    async release() {
      released.resolve()
      await done
    },
  }
}

test('SEARCH-11: earlier messages are found, whichever server they were sent to and whichever is asked', async () => {
  await withAnother(async (_other, guest) => {
    const { code } = await ada.client.invites.create(space.id, space.general)
    await guest.client.invites.join(code)
    for (let turn = 0; turn < 5; turn += 1) {
      const [word, other] = [`zebra${turn}`, `okapi${turn}`]
      await say(word)
      assert.deepEqual(await find(word, guest), [word])
      await guest.client.messages.create(space.general, { content: other })
      assert.deepEqual(await find(other), [other])
    }
  })
})

test('SEARCH-11: messages that a killed server left, or older than the index, are indexed at the next start', async () => {
  const sent = [...(await ada.client.messages.list(space.general, { limit: 100 })), await say('left over')]
  await server.deps.database.execute(sql`delete from message_words where tenant_id = ${space.id}`)
  await server.deps.database.execute(sql`delete from search_marks where tenant_id = ${space.id}`)
  await withAnother(async () => {
    await until(async () => (await listIndexedIds()).length === sent.length, 'everything is indexed')
  })
  assert.deepEqual(await listIndexedIds(), sent.map(({ id }) => id).toSorted())
  assert.deepEqual(await find('left'), ['left over'])
})

test('SEARCH-11: more than a batch in several rooms is indexed once each, without deleted messages', async () => {
  const numbers = Array.from({ length: 450 }, (_, index) => index)
  await Promise.all(numbers.map((number) => say(`batch ${number}`)))
  const { messages } = await ada.client.search.space(space.id, { query: 'batch', limit: 50 })
  assert.equal(messages.length, 50)
  const ids = messages.map(({ id }) => id)
  await ada.client.messages.bulkDelete(space.general, ids)
  await server.deps.database.execute(
    sql`update search_marks set indexed_seq = 0 where tenant_id = ${space.id}`,
  )
  await server.deps.searchIndexer.caughtUp([place])
  const again = await ada.client.search.space(space.id, { query: 'batch', limit: 50 })
  assert.ok(again.messages.every(({ id }) => !ids.includes(id)))
  const [row] = await server.deps.database.query<{ ends: boolean }>(sql`
    select indexed_seq = last_seq as ends from search_marks join message_heads using (tenant_id, channel_id)
    where tenant_id = ${space.id} and channel_id = ${space.general}`)
  assert.deepEqual(row, { ends: true })
})

test('SEARCH-12: an edit waits for an indexer that has read the message, and applies', async () => {
  const mark = await takeMark()
  const message = await say('before the edit')
  await mark.index()
  const edited = ada.client.messages.update(space.general, message.id, { content: 'afterwards' })
  await waitForBlocked(1)
  await mark.release()
  await edited
  assert.deepEqual([await find('before the edit'), await find('afterwards')], [[], ['afterwards']])
})

test('SEARCH-12: a deletion waits for an indexer that has read the message, and leaves nothing in the index', async () => {
  const mark = await takeMark()
  const message = await say('soon gone')
  await mark.index()
  const deleted = ada.client.messages.delete(space.general, message.id)
  await waitForBlocked(1)
  await mark.release()
  await deleted
  assert.equal((await listIndexedIds()).includes(message.id), false)
  assert.deepEqual(await find('soon'), [])
})

test('SEARCH-12: a message edited before it is indexed is indexed in its new state', async () => {
  const mark = await takeMark()
  const message = await say('never indexed')
  const edited = ada.client.messages.update(space.general, message.id, { content: 'indexed at last' })
  await waitForBlocked(1)
  await mark.release()
  await edited
  assert.deepEqual([await find('never'), await find('last')], [[], ['indexed at last']])
})

test('SEARCH-13: a deleted room is no longer found, and nothing of it is left in the index', async () => {
  const room = await ada.client.rooms.create(space.id, { name: 'short', type: 1 })
  await ada.client.messages.create(room.id, { content: 'ephemeral' })
  assert.deepEqual(await find('ephemeral'), ['ephemeral'])
  await ada.client.rooms.delete(space.id, room.id)
  assert.deepEqual(await find('ephemeral'), [])
  await until(async () => {
    const rows = await server.deps.database.query(sql`
      select channel_id from message_words where tenant_id = ${space.id} and channel_id = ${room.id}
      union all select channel_id from search_marks where tenant_id = ${space.id} and channel_id = ${room.id}`)
    return rows.length === 0
  }, 'the sweep of the room')
})
