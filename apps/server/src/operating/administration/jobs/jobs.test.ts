import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { Administration } from '@foyer/sdk/api/administration'
import { newId } from '#src/kernel/ids.ts'
import { enqueueLater } from '#src/kernel/jobs.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { createOperator } from '#test/scenes/operators.ts'
import type { Person } from '#test/scenes/people.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'

/** No process of this test has a handler for it, so that it stays as it is. */
const TASK = 'mail_nobody'

let server: TestServer
let ada: Person

before(async () => {
  server = await startOwnServer()
  ada = await createOperator(server, 'ada')
})
after(() => server.close())
beforeEach(async () => {
  await server.deps.database.execute(sql`
    select from graphile_worker.complete_jobs(array(
      select id from graphile_worker.jobs where task_identifier = ${TASK}))`)
})

const administration = () => ada.client.api(Administration)

/** Enqueues a job for tomorrow and lets it fail for good. Returns its id. */
async function failJob(payload: object, error = 'the mail server is away'): Promise<string> {
  const { database } = server.deps
  const before = await idsOf()
  await database.transaction((transaction) => enqueueLater(transaction, TASK, payload, 86_400))
  const id = (await idsOf()).find((one) => !before.includes(one)) ?? ''
  await database.execute(sql`
    select from graphile_worker.permanently_fail_jobs(array[${id}::bigint], ${error})`)
  return id
}

async function idsOf(): Promise<string[]> {
  const rows = await server.deps.database.query<{ id: string }>(sql`
    select id::text from graphile_worker.jobs where task_identifier = ${TASK} order by id`)
  return rows.map(({ id }) => id)
}

async function countOf() {
  const { counts } = await administration().jobs()
  return counts.find(({ task }) => task === TASK)
}

test('CONSOLE-5: jobs are counted by task and state, and failed ones listed without their payload', async () => {
  const userId = newId()
  const id = await failJob({ user_id: userId, email: 'eve@example.org' }, 'no mailbox eve@example.org')
  await server.deps.database.transaction((transaction) => enqueueLater(transaction, TASK, {}, 86_400))
  assert.deepEqual(await countOf(), { task: TASK, ready: 0, later: 1, running: 0, failed: 1 })
  const { failed, is_complete } = await administration().jobs()
  const [job] = failed
  assert.equal(is_complete, true)
  assert.deepEqual([job?.id, job?.task, job?.about], [id, TASK, { user_id: userId }])
  assert.equal(job?.error, 'no mailbox …@…')
  assert.ok(!JSON.stringify(failed).includes('eve@'))
})

test('CONSOLE-5: a failed job runs again once, also if two ask at once, and the log has it', async () => {
  const id = await failJob({})
  const retry = () => ada.call('POST', `/api/operator/jobs/${id}/retry`)
  const answers = await Promise.all([retry(), retry()])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 404])
  assert.equal((await retry()).code, 'unknown_job')
  assert.equal((await countOf())?.failed, 0)
  const { entries } = await administration().log({ action: 'job_retry' })
  assert.deepEqual(
    entries.map(({ target_type, details }) => [target_type, details]),
    [['server', { task: TASK, count: 1 }]],
  )
})

test('CONSOLE-5: all failed jobs of a task run again, and no others', async () => {
  await failJob({})
  await failJob({})
  assert.deepEqual(await administration().retryJobs('another_task'), { count: 0 })
  assert.equal((await countOf())?.failed, 2)
  const both = await Promise.all([administration().retryJobs(TASK), administration().retryJobs(TASK)])
  assert.equal(
    both.reduce((sum, { count }) => sum + count, 0),
    2,
  )
  assert.equal((await countOf())?.failed, 0)
  for (const body of [{}, { task: 7 }, { task: '' }, { task: 'x'.repeat(200) }])
    assert.equal((await ada.call('POST', '/api/operator/jobs/retry', body)).status, 400)
})

test('CONSOLE-5: a failed job is deleted; one that waits, or is unknown, is not', async () => {
  const id = await failJob({})
  await administration().deleteJob(id)
  assert.deepEqual(await idsOf(), [])
  await server.deps.database.transaction((transaction) => enqueueLater(transaction, TASK, {}, 86_400))
  const [waiting = ''] = await idsOf()
  for (const unknown of [waiting, id, '0', '999999999999999999999', 'x', '-1', '%00'])
    for (const [method, end] of [['POST', '/retry'] as const, ['DELETE', ''] as const]) {
      const { status } = await ada.call(method, `/api/operator/jobs/${unknown}${end}`)
      assert.ok(status === 404 || (unknown === '%00' && status === 400), `${method} ${unknown}: ${status}`)
    }
  assert.deepEqual(await idsOf(), [waiting])
  const { entries } = await administration().log({ action: 'job_delete' })
  assert.deepEqual(entries[0]?.details, { task: TASK })
})
