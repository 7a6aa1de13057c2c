import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { enqueueJob } from '#src/kernel/jobs.ts'
import { sql } from '#src/kernel/sql.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { upkeepJobs } from './upkeep.ts'

let server: TestServer

before(async () => {
  server = await startTestServer()
})
after(() => server.close())

/** A job of a kind that nobody handles, so that it stays as it is put. */
async function leaveJob(name: string, attempts: number, hoursAgo: number): Promise<void> {
  const { database } = server.deps
  await database.transaction((transaction) => enqueueJob(transaction, name, { email: 'ada@example.org' }))
  await database.execute(sql`
    update graphile_worker._private_jobs as job
    set attempts = ${attempts}, updated_at = now() - make_interval(hours => ${hoursAgo})
    from graphile_worker._private_tasks as task
    where task.id = job.task_id and task.identifier = ${name}`)
}

test('MAIL-3: upkeep deletes jobs that failed for good a day ago, and no others', async () => {
  await leaveJob('failed_long_ago', 8, 25)
  await leaveJob('failed_lately', 8, 23)
  await leaveJob('still_trying', 7, 25)
  await upkeepJobs(server.deps).handlers.sweep?.({})
  const left = await server.deps.database.query<{ name: string }>(sql`
    select task_identifier as name from graphile_worker.jobs
    where task_identifier in ('failed_long_ago', 'failed_lately', 'still_trying') order by name`)
  assert.deepEqual(
    left.map(({ name }) => name),
    ['failed_lately', 'still_trying'],
  )
})
