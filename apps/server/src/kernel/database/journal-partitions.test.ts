import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createPerson } from '#test/scenes/people.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'
import { sql } from '../sql/sql.ts'
import type { NewEvent } from './database.ts'
import { databaseTime, dropPartitions, makePartitions } from './journal-partitions.ts'

const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

let server: TestServer
before(async () => {
  // Without jobs: their hourly upkeep would make partitions between two steps of a test.
  server = await startOwnServer({ services: ['api', 'gateway'] })
})
after(() => server.close())

test('DATA-9: partitions are created three days ahead, and dropped past the resume window', async () => {
  const { database } = server.deps
  const now = await databaseTime(database)
  for (let hours = 0; hours <= 96; hours += 15) {
    await makePartitions(database, now + hours * HOUR_MS)
    await dropPartitions(database, now + hours * HOUR_MS)
    const [first, last, count] = await spanOfPartitions()
    assert.ok(first <= now + hours * HOUR_MS - DAY_MS || first <= now, 'the window is there')
    assert.ok(first >= now + hours * HOUR_MS - 1.75 * DAY_MS, `nothing else is: after ${hours} hours`)
    assert.ok(last >= now + hours * HOUR_MS + 2.75 * DAY_MS, 'and three days more')
    assert.ok(count <= 19)
  }
  await makePartitions(database, now)
})

test('DATA-9: several processes create and drop the same partitions at once, each once', async () => {
  const { database } = server.deps
  const now = (await databaseTime(database)) + 30 * DAY_MS
  await Promise.all(Array.from({ length: 4 }, () => makePartitions(database, now)))
  await Promise.all(Array.from({ length: 3 }, () => dropPartitions(database, now)))
  // The slower ones each skipped a partition that another was working on.
  await dropPartitions(database, now)
  const [first, , count] = await spanOfPartitions()
  assert.equal(count, 14)
  assert.ok(first > now - DAY_MS)
  await makePartitions(database, await databaseTime(database))
})

test('DATA-9: an obstacle for one partition does not prevent those before it', async () => {
  const { database } = server.deps
  const now = (await databaseTime(database)) + 40 * DAY_MS
  await dropPartitions(database, now)
  const sixth = Math.floor(now / (6 * HOUR_MS)) * 6 * HOUR_MS + DAY_MS
  const obstacle = await obstruct(sixth)
  await assert.rejects(makePartitions(database, now))
  const [first, last, count] = await spanOfPartitions()
  assert.deepEqual([first, last, count], [sixth - DAY_MS - 6 * HOUR_MS, sixth, 6])
  await obstacle.remove()
  await makePartitions(database, now)
  assert.equal((await spanOfPartitions())[2], 14)
  await makePartitions(database, await databaseTime(database))
})

test('DATA-10: upkeep that waits for a read blocks no writes', async () => {
  const { database } = server.deps
  const now = await databaseTime(database)
  await makePartitions(database, now - 10 * DAY_MS)
  const reader = await holdReader()
  // On a slow machine it is given up before the reader is done: the next run finishes it.
  const dropping = dropPartitions(database, now).catch(() => undefined)
  await untilBlocked()
  await makePartitions(database, now + DAY_MS)
  await publish('BESIDE_UPKEEP')
  assert.equal(await countEvents('BESIDE_UPKEEP'), 1)
  await reader.release()
  await dropping
  await dropPartitions(database, now)
  const [first] = await spanOfPartitions()
  assert.ok(first >= now - 1.75 * DAY_MS)
})

test('DATA-10: an interrupted detachment is finished by the next run', async () => {
  const { database } = server.deps
  const now = await databaseTime(database)
  await makePartitions(database, now - 10 * DAY_MS)
  const reader = await holdReader()
  const broken = assert.rejects(dropPartitions(database, now), { code: '57014' })
  await untilBlocked()
  await database.query(sql`
    select pg_cancel_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'alter table events detach%'`)
  await broken
  await reader.release()
  await dropPartitions(database, now)
  const [first] = await spanOfPartitions()
  assert.ok(first >= now - 1.75 * DAY_MS)
})

test('DATA-11: a missing partition for the current time is created, and a message is stored all the same', async () => {
  const ada = await createPerson(server, 'ada')
  const space = await makeSpace(ada)
  await removePartitions()
  const sent = await ada.call('POST', `/api/rooms/${space.general}/messages`, { content: 'hello' })
  assert.equal(sent.status, 200)
  assert.equal(await countEvents('MESSAGE_CREATE'), 1)
})

test('DATA-11: a change that finds no partition is 503 and undone, and works at the second attempt', async () => {
  const grace = await createPerson(server, 'grace')
  const space = await makeSpace(grace)
  await removePartitions()
  const refused = await grace.call('PATCH', `/api/spaces/${space.id}`, { name: 'Second' })
  assert.deepEqual([refused.status, refused.code], [503, 'unavailable'])
  const again = await grace.call('PATCH', `/api/spaces/${space.id}`, { name: 'Second' })
  assert.equal(again.status, 200)
  assert.equal(await countEvents('SPACE_UPDATE'), 1)
  const [, , count] = await spanOfPartitions()
  assert.equal(count, 14)
})

test('DATA-11: an obstacle for a later partition refuses neither a message nor the second attempt at a change', async () => {
  const hal = await createPerson(server, 'hal')
  const space = await makeSpace(hal)
  await removePartitions()
  const obstacle = await obstruct(Math.floor(Date.now() / (6 * HOUR_MS)) * 6 * HOUR_MS + DAY_MS)
  const send = () => hal.call('POST', `/api/rooms/${space.general}/messages`, { content: 'hello' })
  assert.equal((await send()).status, 200)
  await obstacle.remove()
  await removePartitions()
  const again = await obstruct(Math.floor(Date.now() / (6 * HOUR_MS)) * 6 * HOUR_MS + DAY_MS)
  const rename = () => hal.call('PATCH', `/api/spaces/${space.id}`, { name: 'Second' })
  assert.deepEqual([(await rename()).status, (await rename()).status], [503, 200])
  await again.remove()
  await makePartitions(server.deps.database, Date.now())
})

/** Occupies the name of the partition that begins then, in milliseconds since 1970. */
async function obstruct(begin: number): Promise<{ remove(): Promise<unknown> }> {
  const name = `events_${new Date(begin).toISOString().slice(0, 13).replaceAll(/\D/g, '')}`
  const run = (text: string) => server.deps.database.execute({ name: '', text, values: [] })
  await run(`create table ${name} (number integer)`)
  return { remove: () => run(`drop table ${name}`) }
}

/** As `pg_dump` does, for at most as long as a transaction may take. */
async function holdReader(): Promise<{ release(): Promise<void> }> {
  const [reads, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const reading = server.deps.database
    .transaction(async (transaction) => {
      await transaction.query(sql`select count(*) from events`)
      reads.resolve()
      await released.promise
    })
    .catch(() => undefined)
  await reads.promise
  return {
    async release() {
      released.resolve()
      await reading
    },
  }
}

/** As after days without upkeep. */
async function removePartitions(): Promise<void> {
  await dropPartitions(server.deps.database, Date.now() + 60 * DAY_MS)
  const [, , count] = await spanOfPartitions()
  assert.equal(count, 0)
}

function publish(name: string): Promise<void> {
  const id = '01890000-0000-7000-8000-000000000000'
  const event: NewEvent = { topic: { kind: 'space', tenantId: id, channelId: id }, name, data: '{}' }
  return server.deps.database.transaction(async (transaction) => transaction.publish(event))
}

async function countEvents(name: string): Promise<number> {
  const [row] = await server.deps.database.query<{ count: number }>(sql`
    select count(*) from events where name = ${name}`)
  return row?.count ?? 0
}

/** Where the first begins and the last begins, in milliseconds, and how many there are, detached ones included. */
async function spanOfPartitions(): Promise<[first: number, last: number, count: number]> {
  const rows = await server.deps.database.query<{ name: string }>(sql`
    select relname as name from pg_class where relname ~ '^events_[0-9]{10}$' order by relname`)
  const times = rows.map(({ name }) =>
    Date.parse(name.replace(/^events_(....)(..)(..)(..)$/, '$1-$2-$3T$4:00Z')),
  )
  return [times.at(0) ?? 0, times.at(-1) ?? 0, times.length]
}

function untilBlocked(): Promise<void> {
  return until(async () => {
    const waiting = await server.deps.database.query(sql`
      select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like 'alter table events detach%'`)
    return waiting.length > 0
  }, 'a detachment waits for the reader')
}
