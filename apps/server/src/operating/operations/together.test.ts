import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pino from 'pino'
import { readConfig } from '#src/config.ts'
import { startWorker } from '#src/jobs/worker.ts'
import { type OpenPool, openPool } from '#src/kernel/sql/pool.ts'
import { startServer } from '#src/start.ts'
import { cloneDatabase, type TestDatabase } from '#test/database.ts'

const WAIT_MS = 60_000
const log = pino({ level: 'silent' })

let database: TestDatabase
let pool: OpenPool['pool']
let closePool: OpenPool['close']
let dataDir: string
before(async () => {
  database = await cloneDatabase()
  ;({ pool, close: closePool } = openPool({ ...database.connection, max: 4 }, () => undefined))
  dataDir = await mkdtemp(join(tmpdir(), 'foyer-test-'))
})
after(async () => {
  await closePool()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10 })
})

test('PROCESS-5: processes that start together set up an empty database once', async () => {
  await pool.query(
    'drop schema public cascade; drop schema if exists graphile_worker cascade; create schema public',
  )
  const config = readConfig({ PORT: '0', DATA_DIR: dataDir, SECRET_KEY: 'k'.repeat(32) })
  const servers = await Promise.all(
    [config, config].map((config) => startServer({ config, connection: database.connection, log })),
  )
  const answers = await Promise.all(servers.map(({ url }) => fetch(`${url}/api/health`)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
  )
  await Promise.all(servers.map((server) => server.close()))
})

test('PROCESS-6: a scheduled job runs once each time, however many processes run jobs', async () => {
  const runs: string[] = []
  const table = {
    handlers: { tick: async (payload: unknown) => void runs.push(JSON.stringify(payload)) },
    schedule: ['* * * * * tick ?fill=1h'],
  }
  // Looks as if all processes had been down for half an hour: they catch up at once.
  await pool.query(
    `insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
     values ('tick', now() - interval '1 day', date_trunc('minute', now() - interval '30 minutes'))`,
  )
  const workers = await Promise.all(Array.from({ length: 3 }, () => startWorker({ pool, log }, [table])))
  const deadline = Date.now() + WAIT_MS
  while (runs.length < 30 || (await countJobs()) > 0) {
    assert.ok(Date.now() < deadline, `${runs.length} ran`)
    await sleep(50)
  }
  // A worker that started last would have enqueued its own by the time it stopped.
  await Promise.all(workers.map((worker) => worker.stop()))
  assert.equal(await countJobs(), 0)
  assert.equal(new Set(runs).size, runs.length)
})

async function countJobs(): Promise<number> {
  const { rows } = await pool.query('select count(*)::integer as count from graphile_worker.jobs')
  return rows[0].count
}
