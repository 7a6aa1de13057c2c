import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import pg from 'pg'
import { readConfig } from '#src/config.ts'
import { examineBackups } from '#src/operating/doctor/backups.ts'
import { SOCKET_PORT } from '#src/postgres/socket.ts'
import { PASSPHRASE } from '#test/backups/commands.ts'
import { type Program, startProgram } from '#test/processes/program.ts'
import { until } from '#test/until.ts'
import { snapshotName, snapshotTime } from './manifest.ts'
import { isDue, isOverdue, newestBackup, pauseAfter } from './schedule.ts'

let folder: string
let program: Program | undefined

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-schedule-'))
})
afterEach(async () => {
  await program?.stop()
  program = undefined
})
after(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))

const settingsOf = (to: string) => ({
  DATA_DIR: join(folder, 'data'),
  BACKUP_TO: to,
  BACKUP_PASSPHRASE: PASSPHRASE,
  BACKUP_KEEP: '2',
})

test('BACKUP-12: the server makes a backup when one is due, and not before the next is', async () => {
  const to = join(folder, 'repository')
  program = await startProgram(settingsOf(to))
  await enqueue()
  await program.logged('a backup was made')
  const names = await readdir(join(to, 'snapshots'))
  assert.equal(names.length, 1)
  const { url } = program
  const metrics = async () => (await fetch(`${url}/metrics`)).text()
  // It looks at the backups once more after its line in the log.
  await until(
    async () => /foyer_backup_last_success_seconds 1\d{9}/.test(await metrics()),
    'the time of the backup is measured',
  )
  assert.match(await metrics(), /foyer_backups_total\{outcome="made"\} 1/)
  assert.match(await metrics(), /foyer_backups_total\{outcome="failed"\} 0/)
  await enqueue()
  await untilNoJob()
  assert.deepEqual(await readdir(join(to, 'snapshots')), names)
  const finding = await examineBackups(readConfig(settingsOf(to)))
  assert.equal(finding.verdict, 'good')
})

test('BACKUP-12: a failed backup is an error in the log, in the metrics and for the doctor (DOCTOR-7)', async () => {
  const to = join(folder, 'no-folder')
  await writeFile(to, 'a file')
  program = await startProgram(settingsOf(to))
  await enqueue()
  const line = await program.logged('the backup failed')
  assert.match(line, /"level":"error".*it is no folder/)
  assert.match(
    await (await fetch(`${program.url}/metrics`)).text(),
    /foyer_backups_total\{outcome="failed"\} 1/,
  )
  const finding = await examineBackups(readConfig(settingsOf(to)))
  assert.deepEqual([finding.verdict, /it is no folder/.test(finding.says)], ['bad', true])
})

test('BACKUP-12: a backup is due after BACKUP_EVERY, and overdue after twice that', () => {
  const config = readConfig({ ...settingsOf('x'), BACKUP_EVERY: '6' })
  const now = Date.parse('2026-11-27T12:00:00Z')
  const before = (hours: number) => new Date(now - hours * 3_600_000)
  assert.deepEqual(
    [isDue(config, undefined, now), isDue(config, before(6), now), isDue(config, before(5.8), now)],
    [true, true, false],
  )
  assert.deepEqual(
    [
      isOverdue(config, undefined, now),
      isOverdue(config, before(12.1), now),
      isOverdue(config, before(11.9), now),
    ],
    [true, true, false],
  )
})

test('BACKUP-12: a backup from the future does not keep the next from being made', async () => {
  const to = join(folder, 'future')
  const name = (ms: number) => snapshotName(new Date(Date.now() + ms))
  await mkdir(join(to, 'snapshots'), { recursive: true })
  await writeFile(join(to, 'snapshots', name(365 * 86_400_000)), '')
  assert.equal(await newestBackup(readConfig(settingsOf(to))), undefined)
  const present = name(-60_000)
  await writeFile(join(to, 'snapshots', present), '')
  assert.deepEqual(await newestBackup(readConfig(settingsOf(to))), snapshotTime(present))
})

test('BACKUP-12: pauses after failures become longer, up to six hours or the interval', () => {
  const minutes = (failures: number, every: string) =>
    Math.ceil(pauseAfter(readConfig({ ...settingsOf('x'), BACKUP_EVERY: every }), failures) / 600_000) * 10
  assert.deepEqual(
    [1, 2, 3, 4, 9, 2000].map((failures) => minutes(failures, '24')),
    [10, 20, 40, 80, 360, 360],
  )
  assert.equal(minutes(9, '1'), 60)
})

test('BACKUP-12: BACKUP_TO without a passphrase or a key file is refused at the start', () => {
  assert.throws(() => readConfig({ BACKUP_TO: 'x' }), {
    message: 'BACKUP_TO needs BACKUP_PASSPHRASE or BACKUP_KEY_FILE',
  })
  assert.throws(() => readConfig({ BACKUP_S3_ENDPOINT: 'https://s3.example.org' }), {
    message: 'BACKUP_S3_ENDPOINT needs BACKUP_S3_ACCESS_KEY_ID',
  })
})

test('DOCTOR-7: the doctor notes that no backups are made, and that there is none yet', async () => {
  const note = await examineBackups(readConfig({}))
  assert.equal(note.verdict, 'note')
  const none = await examineBackups(readConfig(settingsOf(join(folder, 'nothing'))))
  assert.deepEqual([none.verdict, none.says], ['bad', 'there is none yet, and one is due every 24 hours'])
})

function enqueue(): Promise<unknown> {
  return ask(`select graphile_worker.add_job('back_up', queue_name => 'back_up')`)
}

async function untilNoJob(): Promise<void> {
  const waiting = () =>
    ask(`select from graphile_worker.jobs where task_identifier = 'back_up' and attempts < max_attempts`)
  while ((await waiting()).length > 0);
}

async function ask(text: string): Promise<unknown[]> {
  const host = join(folder, 'data', 'postgres-socket')
  const client = new pg.Client({ host, port: SOCKET_PORT, user: 'foyer', database: 'foyer' })
  await client.connect()
  const { rows } = await client.query(text).finally(() => client.end())
  return rows
}
