import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { newId } from '#src/kernel/ids.ts'
import { enqueueJob } from '#src/kernel/jobs.ts'
import { Fragment, sql } from '#src/kernel/sql/sql.ts'
import { holdLock } from '#test/locks/held-locks.ts'
import { createPerson } from '#test/scenes/people.ts'
import { startOwnServer, type TestServer } from '#test/server.ts'
import { upkeepJobs } from './upkeep.ts'

let server: TestServer

before(async () => {
  server = await startOwnServer()
})
after(() => server.close())

const sweep = () => upkeepJobs(server.deps).handlers.sweep?.({})

/** Enqueues a job without a handler, which stays as it is. */
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
  await sweep()
  const left = await server.deps.database.query<{ name: string }>(sql`
    select task_identifier as name from graphile_worker.jobs
    where task_identifier in ('failed_long_ago', 'failed_lately', 'still_trying') order by name`)
  assert.deepEqual(
    left.map(({ name }) => name),
    ['failed_lately', 'still_trying'],
  )
})

/** Inserts nonces of messages sent two days ago. */
async function insertNonces(count: number): Promise<void> {
  await server.deps.database.execute(sql`
    insert into message_nonces (tenant_id, channel_id, author_id, nonce, message_id, created_at)
    select ${newId()}, ${newId()}, ${newId()}, n::text, gen_random_uuid(), now() - interval '2 days'
    from generate_series(1, ${count}::integer) n`)
}

async function listNonces(): Promise<string[]> {
  const rows = await server.deps.database.query<{ nonce: string }>(sql`select nonce from message_nonces`)
  return rows.map(({ nonce }) => nonce)
}

async function insertMailToken(hoursLeft: number): Promise<string> {
  const { id } = await createPerson(server, newId())
  await server.deps.database.execute(sql`
    insert into mail_tokens (token_hash, user_id, purpose, email, expires_at)
    values (sha256(${id}::text::bytea), ${id}, 'verify', '', now() + make_interval(hours => ${hoursLeft}))`)
  return id
}

async function listMailed(): Promise<string[]> {
  const rows = await server.deps.database.query<{ user_id: string }>(sql`select user_id from mail_tokens`)
  return rows.map((row) => row.user_id)
}

/** Makes the database refuse to delete this many rows of the table at a time, or more. */
async function refuse(context: TestContext, table: string, count: number): Promise<() => Promise<void>> {
  const { database } = server.deps
  const allow = async () => {
    await database.execute(sql`drop function if exists refuse_deletion cascade`)
  }
  context.after(allow)
  await database.execute(sql`
    create function refuse_deletion() returns trigger language plpgsql as
    'begin if (select count(*) from gone) >= tg_argv[0]::integer then raise exception ''no''; end if; return null; end'`)
  await database.execute(sql`
    create trigger refuse after delete on ${new Fragment(table)} referencing old table as gone
    for each statement execute function refuse_deletion(${new Fragment(String(count))})`)
  return allow
}

test('DATA-15: at most 5000 expired rows are deleted at a time, and all in the end', async (context) => {
  await insertNonces(12_000)
  await refuse(context, 'message_nonces', 5001)
  await sweep()
  assert.deepEqual(await listNonces(), [])
})

test('DATA-15: locked rows wait for the next run, and nothing else does', async () => {
  await insertNonces(3)
  const lock = await holdLock(server, sql`select from message_nonces where nonce = '2' for update`)
  await sweep()
  assert.deepEqual(await listNonces(), ['2'])
  await lock.release()
  await sweep()
  assert.deepEqual(await listNonces(), [])
})

for (const [refused, swept] of [
  ['message_nonces', 'mail_tokens'],
  ['mail_tokens', 'message_nonces'],
] as const)
  test(`DATA-15: a failure to sweep ${refused} does not affect other kinds, and the run counts as failed`, async (context) => {
    await insertNonces(2)
    const [expired, good] = [await insertMailToken(-1), await insertMailToken(1)]
    const left = async () => [(await listNonces()).length, (await listMailed()).includes(expired)]
    const allow = await refuse(context, refused, 1)
    await assert.rejects(async () => sweep(), AggregateError)
    assert.deepEqual(await left(), swept === 'mail_tokens' ? [2, false] : [0, true])
    await allow()
    await sweep()
    assert.deepEqual(await left(), [0, false])
    assert.ok((await listMailed()).includes(good))
  })
