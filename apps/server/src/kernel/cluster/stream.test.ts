import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { cloneDatabase } from '#test/database.ts'
import { Database } from '../database/database.ts'
import { firstIdAt, newId } from '../ids.ts'
import { Bus, type Event, topicOf } from '../journal/bus.ts'
import { sql } from '../sql/sql.ts'
import { Stream } from './stream.ts'

const NOW = Date.parse('2026-05-04T12:00:00Z')
const MINUTE_MS = 60_000

/**
 * A live stream on an empty journal, at `NOW`. `forgotten` counts how often it no longer knew which events it had
 * received.
 */
async function startStream(context: TestContext) {
  const { connection, drop } = await cloneDatabase()
  const database = new Database({ connection, onError: assert.ifError, onCommit: async () => undefined })
  context.after(async () => {
    await database.close()
    await drop()
  })
  context.mock.timers.enable({ apis: ['Date'], now: NOW })
  const bus = new Bus(assert.ifError)
  const forgotten = { count: 0 }
  const onForgotten = () => {
    forgotten.count += 1
  }
  const stream = new Stream({ bus, database, onCaughtUp: () => undefined, onForgotten })
  return { stream, bus, database, forgotten, pass: (ms: number) => context.mock.timers.tick(ms) }
}

test('PROCESS-27: events that were read from the journal all along are not read again, however long ago they began', async (context) => {
  const { stream, bus, forgotten, pass } = await startStream(context)
  stream.prove({ wall: Date.now() + MINUTE_MS, monotonic: performance.now() })
  pass(MINUTE_MS)
  for (let minute = 0; minute < 5; minute += 1) {
    await stream.follow()
    pass(MINUTE_MS)
  }
  const { epoch } = bus.freshness
  await stream.reread(NOW + MINUTE_MS)
  await stream.reread(NOW + MINUTE_MS - 1500)
  assert.deepEqual([forgotten.count, bus.freshness.isHeld, bus.freshness.epoch], [0, true, epoch])
})

test('PROCESS-27: all caches are dropped for lost events that are too old and were never read', async (context) => {
  const { stream, bus, forgotten, pass } = await startStream(context)
  for (let minute = 0; minute < 5; minute += 1) {
    pass(MINUTE_MS)
    stream.prove({ wall: Date.now(), monotonic: performance.now() })
  }
  await stream.reread(NOW + 3 * MINUTE_MS)
  assert.deepEqual([forgotten.count, bus.freshness.isHeld], [1, false])
  await stream.reread(NOW + 3 * MINUTE_MS)
  assert.equal(forgotten.count, 1, 'once for all that is told of it')
})

test('PROCESS-24: events that could not be read when reported are read once that is possible', async (context) => {
  const { stream, bus, database, pass } = await startStream(context)
  const heard: (string | undefined)[] = []
  bus.subscribe({ deliverers: [{ receive: (events) => void heard.push(...events.map(({ id }) => id)) }] })
  const lost = firstIdAt(NOW + 1000)
  await journal(database, lost)
  pass(MINUTE_MS / 2)
  stream.prove({ wall: Date.now(), monotonic: performance.now() })
  const reads = context.mock.method(database, 'query', () =>
    Promise.reject(new Error('the connection broke')),
  )
  await assert.rejects(stream.reread(NOW + 500))
  stream.fallBehind()
  await assert.rejects(stream.catchUp())
  reads.mock.restore()
  await stream.catchUp()
  assert.deepEqual(heard, [lost])
})

test('PROCESS-27: old events of a returning process are dropped, and recent ones delivered', async (context) => {
  const { stream, bus, pass } = await startStream(context)
  const heard: (string | undefined)[] = []
  bus.subscribe({ deliverers: [{ receive: (events) => void heard.push(...events.map(({ id }) => id)) }] })
  pass(2 * MINUTE_MS)
  stream.prove({ wall: Date.now(), monotonic: performance.now() })
  const [old, late, passing] = [
    eventAt(NOW),
    eventAt(NOW + 1.5 * MINUTE_MS),
    { ...eventAt(NOW), id: undefined },
  ]
  stream.receiveFromReturned([old, late, passing], 0)
  assert.deepEqual(heard, [late.id, undefined])
  const ofSlowClock = eventAt(NOW + 1)
  stream.receiveFromReturned([ofSlowClock], 1.9 * MINUTE_MS)
  assert.deepEqual(heard, [late.id, undefined, ofSlowClock.id])
})

/** It was committed then. */
async function journal(database: Database, id: string): Promise<void> {
  await database.execute(sql`create table if not exists events_of_then partition of events default`)
  await database.execute(sql`
    insert into events (kind, tenant_id, channel_id, id, name, data)
    values ('user', ${newId()}, ${newId()}, ${id}, 'USER_UPDATE', '{}')`)
}

function eventAt(time: number): Event {
  const id = firstIdAt(time)
  return { id, topic: topicOf.user(id), audience: 0, name: 'USER_UPDATE', data: '{}' }
}
