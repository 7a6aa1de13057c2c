import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Administration } from '@foyer/sdk/api/administration'
import pg from 'pg'
import { KEPT } from '#src/kernel/database/snapshot-names.ts'
import { newId } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { connectionOf } from '#test/database.ts'
import { connect } from '#test/gateway-client.ts'
import { createOperator } from '#test/scenes/operators.ts'
import { createApplicationBot, createPerson, type Person } from '#test/scenes/people.ts'
import { makeSpace } from '#test/scenes/spaces.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { sweepHealth } from '../health/queries.ts'
import { readHealth } from '../health/series.ts'

let server: TestServer
let ada: Person
let ben: Person

before(async () => {
  server = await startOwnServer()
  ada = await createOperator(server, 'ada')
  ben = await createPerson(server, 'ben')
})
after(() => server.close())

const administration = () => ada.client.api(Administration)
const MINUTE_MS = 60_000

/** Writes a sample of another process, this many minutes ago. */
async function insertSample(minutesAgo: number, { connections = 0, requests = 0, slow = 0 }): Promise<void> {
  await server.deps.database.execute(sql`
    insert into health_samples (taken_at, process_id, connections, requests, errors, messages, latency, cpu,
      memory_bytes, lag_ms)
    values (date_trunc('minute', now() - make_interval(mins => ${minutesAgo})), ${newId()}, ${connections}, ${requests},
      1, 2, array[${requests - slow}, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, ${slow}]::integer[], 0.5, 1024, 3)`)
}

test('CONSOLE-1: the overview counts people, spaces, messages, files, connections and processes', async () => {
  const bot = await createApplicationBot(server, ben, { name: 'Helper' })
  const space = await makeSpace(ben, [ada])
  await ben.client.messages.create(space.general, { content: 'tea?' })
  await server.deps.database.execute(sql`
    update sessions set last_used_at = now() - interval '3 days' where user_id = ${ben.id}`)
  const before = await administration().overview()
  const gateway = await connect(server, ada)
  const overview = await administration().overview()
  gateway.close()
  assert.ok(bot.id !== '')
  assert.deepEqual(
    [overview.people, overview.spaces],
    [2, 1].map((count) => ({ count, precision: 'exact' })),
  )
  assert.deepEqual([overview.active_day, overview.active_week, overview.active_at], [null, null, null])
  assert.deepEqual(overview.messages.precision, 'exact')
  assert.ok(overview.messages.count >= 1)
  assert.equal(overview.connections, before.connections + 1)
  assert.equal(overview.version, server.deps.config.version)
  assert.match(overview.last_migration, /^\d{4}-/)
  assert.deepEqual(
    overview.processes.map(({ id, services }) => [id, services]),
    [[server.deps.healthSampler.id, server.deps.config.services]],
  )
})

test('CONSOLE-1: people who were here in a day and a week are counted once an hour', async () => {
  const { healthSampler, database } = server.deps
  await healthSampler.sample()
  const counted = await administration().overview()
  assert.deepEqual([counted.active_day, counted.active_week], [1, 2])
  await database.execute(sql`update sessions set last_used_at = now()`)
  await database.execute(sql`update health_samples set taken_at = taken_at - interval '50 minutes'`)
  await healthSampler.sample()
  const [same, { active_at }] = [await administration().overview(), counted]
  assert.equal(same.active_day, 1)
  assert.ok(Date.parse(same.active_at ?? '') < Date.parse(active_at ?? ''))
  await database.execute(sql`update health_samples set taken_at = taken_at - interval '20 minutes'`)
  await healthSampler.sample()
  assert.equal((await administration().overview()).active_day, 2)
  await database.execute(sql`delete from health_samples`)
})

test('CONSOLE-1: the overview has the database that a rollback goes back to', async () => {
  const [overview, storage] = await Promise.all([administration().overview(), administration().storage()])
  assert.deepEqual([overview.snapshot, storage.has_snapshot], [null, false])
  const client = new pg.Client(await connectionOf(server))
  await client.connect()
  const { rows } = await client.query<{ name: string }>('select current_database() as name')
  const name = pg.escapeIdentifier(`${rows[0]?.name}${KEPT.before}`)
  const made_at = '2026-11-27T12:00:00.000Z'
  const record = { foyer: 'kept', version: '1.2.3', commit: null, made_at }
  try {
    await client.query(`create database ${name} template template0`)
    await client.query(`comment on database ${name} is ${pg.escapeLiteral(JSON.stringify(record))}`)
    const { snapshot } = await administration().overview()
    const days = server.deps.config.updateSnapshotDays
    const kept_until = new Date(Date.parse(made_at) + days * 24 * 60 * MINUTE_MS).toISOString()
    const { bytes, ...rest } = snapshot ?? {}
    assert.deepEqual(rest, { kind: 'before', version: '1.2.3', made_at, kept_until })
    assert.ok((bytes ?? 0) > 1_000_000)
    assert.equal((await administration().storage()).has_snapshot, true)
  } finally {
    await client.query(`drop database if exists ${name}`)
    await client.end()
  }
})

test('CONSOLE-2: a sample has what the process did since the last one', async () => {
  const { healthSampler, database } = server.deps
  await healthSampler.sample()
  await database.execute(sql`delete from health_samples`)
  for (let sent = 0; sent < 3; sent += 1) await administration().overview()
  await ada.call('GET', '/api/nothing-here')
  await healthSampler.sample()
  const [row] = await database.query<{
    answered: number
    requests: number
    database_bytes: number | null
  }>(sql`
    select (select sum(count) from unnest(latency) as count)::integer as answered, requests, database_bytes
    from health_samples`)
  assert.equal(row?.answered, 4)
  assert.ok((row?.requests ?? 0) > 0)
  assert.ok((row?.database_bytes ?? 0) > 1_000_000)
  await database.execute(sql`
    update health_samples set taken_at = taken_at - interval '5 minutes'`)
  await healthSampler.sample()
  const [second] = await database.query<{ measured: number }>(sql`
    select count(database_bytes) as measured from health_samples`)
  assert.equal(second?.measured, 1)
  await database.execute(sql`delete from health_samples`)
})

test('CONSOLE-2: series sum the processes, take the mean of a point, and are null while no process ran', async () => {
  await insertSample(1, { connections: 3, requests: 10 })
  await insertSample(1, { connections: 4, requests: 20, slow: 1 })
  await insertSample(3, { connections: 1 })
  const { step_seconds, ...hour } = await administration().health({ hours: 1 })
  assert.deepEqual([step_seconds, hour.connections.length], [60, 60])
  const last = (values: readonly (number | null)[]) => values.slice(-4)
  assert.deepEqual(last(hour.connections).slice(0, 3), [1, null, 7])
  assert.deepEqual(last(hour.requests).slice(0, 3), [0, null, 30])
  assert.deepEqual(last(hour.errors).slice(0, 3), [1, null, 2])
  assert.deepEqual(last(hour.p50_ms).slice(0, 3), [null, null, 0.52])
  assert.equal(hour.p99_ms.at(-2), 5000)
  assert.equal(hour.memory_bytes.at(-2), 2048)
  const now = Date.now()
  const day = await readHealth(server.deps.database, {}, now)
  assert.deepEqual([day.step_seconds, day.connections.length, day.cpu.length], [300, 288, 288])
  assert.equal(Date.parse(day.since) % (5 * MINUTE_MS), 0)
  const sampled = day.connections.filter((value) => value !== null)
  assert.ok(sampled.length >= 1 && sampled.length <= 2)
  for (const hours of [0, 25, 'x']) {
    const { status, code } = await ada.call('GET', `/api/operator/health?hours=${hours}`)
    assert.deepEqual([status, code], [400, 'invalid_request'])
  }
})

test('CONSOLE-2: samples and processes of more than a day ago are deleted', async () => {
  const { database } = server.deps
  await database.execute(sql`delete from health_samples`)
  await insertSample(23 * 60, {})
  await insertSample(25 * 60, {})
  await database.execute(sql`
    insert into server_processes (id, version, services, connections, started_at, seen_at)
    values (${newId()}, '0', '{}', 0, now(), now() - interval '25 hours')`)
  await sweepHealth(database)
  const [left] = await database.query<{ samples: number; processes: number }>(sql`
    select (select count(*) from health_samples) as samples, (select count(*) from server_processes) as processes`)
  assert.deepEqual(left, { samples: 1, processes: 1 })
})

test('CONSOLE-7: only operators use these routes', async () => {
  const bot = await createApplicationBot(server, ben, { name: 'Outsider' })
  const calls = [
    ['GET', '/api/operator/overview'],
    ['GET', '/api/operator/health'],
    ['GET', '/api/operator/storage'],
    ['POST', '/api/operator/storage/survey'],
    ['GET', '/api/operator/jobs'],
    ['POST', '/api/operator/jobs/1/retry'],
    ['DELETE', '/api/operator/jobs/1'],
    ['GET', '/api/operator/backups'],
    ['POST', '/api/operator/backups'],
  ] as const
  for (const [method, path] of calls) {
    assert.equal((await ben.call(method, path)).code, 'operator_only')
    assert.equal((await bot.call(method, path)).status, 403)
    assert.equal((await server.fetch(path, { method })).status, 401)
  }
  const retry = ['POST', '/api/operator/jobs/retry', { task: 'sweep' }] as const
  assert.equal((await ben.call(...retry)).code, 'operator_only')
  assert.equal((await bot.call(...retry)).status, 403)
})
