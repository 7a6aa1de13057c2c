import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import pg from 'pg'
import pino from 'pino'
import { enqueueInLine, enqueueJob, type JobHandler } from '#src/kernel/jobs.ts'
import { type OpenPool, openPool } from '#src/kernel/sql/pool.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { connectionOf } from '#test/database.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { until } from '#test/until.ts'
import { startWorker } from './worker.ts'

const log = pino({ level: 'silent' })

let server: TestServer
let jobs: OpenPool
before(async () => {
  // The server's own workers have no handlers for these jobs.
  server = await startOwnServer()
  jobs = openPool({ ...(await connectionOf(server)), max: 4 }, () => undefined)
})
after(async () => {
  await jobs.close()
  await server.close()
})

/** Starts a worker for one kind of job. */
async function work(context: TestContext, name: string, handler: JobHandler): Promise<void> {
  const worker = await startWorker({ pool: jobs.pool, log }, [
    { handlers: { [name]: handler }, schedule: [] },
  ])
  context.after(() => worker.stop())
}

async function left(name: string): Promise<number> {
  const rows = await server.deps.database.query(sql`
    select id from graphile_worker.jobs where task_identifier = ${name}`)
  return rows.length
}

/** Breaks the connection under statements with this name, a number of times. */
function breakUnder(context: TestContext, statement: string, times: number): void {
  const { query } = pg.Client.prototype
  let done = 0
  function queryOrBreak(this: pg.Client, ...given: unknown[]): unknown {
    const [asked] = given
    const isOne = String(Object(asked).name).startsWith(statement) && done < times
    if (isOne) done += 1
    const answered = Reflect.apply(query, this, given)
    // Alternates between a server that is gone and a socket that cannot be written to.
    const reason = done % 2 === 0 ? [Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })] : []
    if (isOne) Object(this).connection.stream.destroy(...reason)
    return answered
  }
  context.mock.method(pg.Client.prototype, 'query', queryOrBreak)
}

test('DATA-13: a database that goes away while a job ends does not end the process, and the job is done', async (context) => {
  const runs: unknown[] = []
  breakUnder(context, 'complete_job', 2)
  await work(context, 'ends_well', async (payload) => void runs.push(payload))
  await enqueueJob(server.deps.database, 'ends_well', { number: 1 })
  await until(async () => (await left('ends_well')) === 0, 'it is over')
  assert.deepEqual(runs, [{ number: 1 }])
})

test('DATA-13: a database that goes away while a job fails does not end the process, and the job is tried again', async (context) => {
  let runs = 0
  breakUnder(context, 'fail_job', 1)
  await work(context, 'ends_badly', async () => {
    runs += 1
    if (runs === 1) throw new Error('not yet')
  })
  await enqueueJob(server.deps.database, 'ends_badly', {})
  await until(async () => (await left('ends_badly')) === 0, 'it is over')
  assert.equal(runs, 2)
})

test('DATA-14: jobs of a process that died are done by the next, including those in sequence', async (context) => {
  const { database } = server.deps
  await enqueueInLine(database, 'was_begun', { number: 1 }, { queue: 'line', key: 'one' })
  await enqueueInLine(database, 'was_begun', { number: 2 }, { queue: 'line', key: 'two' })
  for (const table of ['_private_jobs', '_private_job_queues'])
    await jobs.pool.query(
      `update graphile_worker.${table} set locked_by = 'gone', locked_at = now() - interval '2 minutes'
       where ${table === '_private_jobs' ? "key = 'one'" : "queue_name = 'line'"}`,
    )
  const runs: unknown[] = []
  await work(context, 'was_begun', async (payload) => void runs.push(payload))
  await until(async () => (await left('was_begun')) === 0, 'both are done')
  assert.deepEqual(runs, [{ number: 1 }, { number: 2 }])
})
