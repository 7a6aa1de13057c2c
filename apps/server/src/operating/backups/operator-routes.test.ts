import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import type { BackupOverview } from '@foyer/protocol/operator-backups'
import { Administration } from '@foyer/sdk/api/administration'
import { Client } from '@foyer/sdk/client'
import pg from 'pg'
import { createMetrics } from '#src/kernel/metrics.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import { SOCKET_PORT } from '#src/postgres/socket.ts'
import { PASSPHRASE } from '#test/backups/commands.ts'
import { type Program, startProgram } from '#test/processes/program.ts'
import { createOperator } from '#test/scenes/operators.ts'
import { startOwnServer, TEST_PASSWORD } from '#test/server.ts'
import { until } from '#test/until.ts'
import { backupJobs } from './jobs.ts'

let folder: string
let program: Program | undefined

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-console-'))
})
afterEach(async () => {
  await program?.stop()
  program = undefined
})
after(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))

/** Starts a server that makes backups, and returns the routes of its operator. */
async function open(name: string, settings: Record<string, string> = {}): Promise<Administration> {
  program = await startProgram({
    DATA_DIR: join(folder, `${name}-data`),
    BACKUP_TO: join(folder, name),
    BACKUP_PASSPHRASE: PASSPHRASE,
    ...settings,
  })
  const client = new Client({ baseUrl: program.url })
  const account = { username: 'ada', email: 'ada@example.org', password: TEST_PASSWORD }
  await client.auth.signin(account)
  return client.api(Administration)
}

const socketOf = (name: string) => ({
  host: join(folder, `${name}-data`, 'postgres-socket'),
  port: SOCKET_PORT,
  user: 'foyer',
  database: 'foyer',
})

async function whenDone(operator: Administration): Promise<BackupOverview> {
  await until(async () => (await operator.backups()).run.state === 'idle', 'the backup ends')
  return operator.backups()
}

test('CONSOLE-6: an operator asks for a backup, twice at once for one, and sees what became of it', async () => {
  const operator = await open('asked')
  const none = await operator.backups()
  assert.deepEqual([none.backups, none.is_overdue, none.trouble], [[], true, null])
  assert.equal(none.schedule?.every_hours, 24)
  await Promise.all([operator.backUp(), operator.backUp()])
  const { backups, is_overdue, last_failure } = await whenDone(operator)
  assert.deepEqual([backups.length, is_overdue, last_failure], [1, false, null])
  const [backup] = backups
  assert.deepEqual([backup?.state, backup?.kind, backup?.failure], ['made', 'asked', null])
  assert.ok((backup?.rows ?? 0) > 0)
  assert.equal((await readdir(join(folder, 'asked', 'snapshots'))).length, 1)
  assert.ok(!JSON.stringify(await operator.backups()).includes(PASSPHRASE))
  const { entries } = await operator.log({ action: 'backup_create' })
  assert.equal(entries.length, 1)
})

test('CONSOLE-6: backups that were made elsewhere are listed, and deleted ones are not', async () => {
  const operator = await open('elsewhere')
  await operator.backUp()
  await whenDone(operator)
  const snapshots = join(folder, 'elsewhere', 'snapshots')
  const [name = ''] = await readdir(snapshots)
  await writeFile(join(snapshots, '20200101T120000000Z'), '')
  await rm(join(snapshots, name))
  const { backups, is_overdue } = await operator.backups()
  assert.deepEqual(
    backups.map(({ at, kind, files }) => [at, kind, files]),
    [['2020-01-01T12:00:00.000Z', 'elsewhere', null]],
  )
  assert.equal(is_overdue, true)
})

test('CONSOLE-6: a failed backup is shown with its reason', async () => {
  await writeFile(join(folder, 'no-folder'), 'a file')
  const operator = await open('no-folder')
  await operator.backUp()
  await program?.logged('the backup failed')
  const { backups, last_failure, trouble } = await whenDone(operator)
  assert.match(trouble ?? '', /it is no folder/)
  assert.match(last_failure?.failure ?? '', /it is no folder/)
  assert.equal(backups[0]?.state, 'failed')
})

test('CONSOLE-6: a stop of the server is the cause of a failure, and the queue gives what was asked for to the next process', async () => {
  const server = await startOwnServer()
  const { config, database, log } = server.deps
  const to = join(folder, 'stopped')
  const deps = {
    database,
    log,
    metrics: createMetrics(),
    config: { ...config, backup: { ...config.backup, to } },
  }
  const { handlers } = backupJobs(deps)
  const context = { abortSignal: AbortSignal.abort() }
  const stopped = { message: 'the server stopped' }
  await assert.rejects(handlers.back_up_now?.({}, context) ?? Promise.resolve(), stopped)
  const runs = await database.query(sql`select state, is_scheduled, failure from backup_runs`)
  assert.deepEqual(runs, [{ state: 'failed', is_scheduled: false, failure: stopped.message }])
  await backupJobs({ ...deps, metrics: createMetrics() }).handlers.back_up?.({}, context)
  await server.close()
})

test('CONSOLE-6: a password in the address of the backups is in no answer and in no failure', async () => {
  const word = 'hunter2'
  const operator = await open('address', { BACKUP_TO: `s3://me:${word}@bucket/prefix` })
  await operator.backUp()
  await program?.logged('the backup failed')
  const overview = await whenDone(operator)
  assert.equal(overview.schedule?.location, 's3://…@bucket/prefix')
  for (const text of [overview.trouble, overview.last_failure?.failure])
    assert.match(text ?? '', /no address like s3:\/\/bucket\/prefix/)
  assert.ok(!JSON.stringify(overview).includes(word))
})

test('CONSOLE-6: backups stay listed where their place is not mounted, and become overdue', async () => {
  const operator = await open('unmounted')
  await operator.backUp()
  await whenDone(operator)
  await rm(join(folder, 'unmounted', 'snapshots'), { recursive: true })
  const { backups, trouble, is_overdue } = await operator.backups()
  assert.match(trouble ?? '', /does not see the backups/)
  assert.deepEqual([backups.length, backups[0]?.state, is_overdue], [1, 'made', false])
  await rm(join(folder, 'unmounted'), { recursive: true })
  const client = new pg.Client(socketOf('unmounted'))
  await client.connect()
  await client.query(`update backup_runs set snapshot = '20200101T120000000Z'`).finally(() => client.end())
  assert.equal((await operator.backups()).is_overdue, true)
})

test('CONSOLE-6: without BACKUP_TO there is no schedule, and no backup can be asked for', async () => {
  const server = await startOwnServer()
  const ada = await createOperator(server, 'ada')
  const overview = await ada.client.api(Administration).backups()
  assert.deepEqual([overview.schedule, overview.is_overdue, overview.backups], [null, false, []])
  const { status, code } = await ada.call('POST', '/api/operator/backups')
  assert.deepEqual([status, code], [409, 'backups_off'])
  await server.close()
})
