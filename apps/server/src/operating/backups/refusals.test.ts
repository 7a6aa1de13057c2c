import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import pg from 'pg'
import { backUp, restore, restoreSettings } from '#test/backups/commands.ts'
import { runCommand } from '#test/backups/processes.ts'
import { connectionOf, makeEmptyDatabase, type TestDatabase } from '#test/database.ts'
import { runProgram } from '#test/processes/program.ts'
import { startTestServer, type TestServer } from '#test/server.ts'
import { fingerprintOf } from './repository-key.ts'

let server: TestServer
let folder: string
let to: string
let database: TestDatabase
let dataDir: string

before(async () => {
  server = await startTestServer()
  folder = await mkdtemp(join(tmpdir(), 'foyer-refusals-'))
  to = join(folder, 'repository')
  await backUp(server, [`--to=${to}`])
})
after(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
})
beforeEach(async () => {
  dataDir = await mkdtemp(join(folder, 'data-'))
  database = await makeEmptyDatabase()
})
afterEach(() => database.drop())

const restoreHere = (settings: Record<string, string> = {}) =>
  restore({ ...restoreSettings(dataDir, database), ...settings }, [`--from=${to}`])

test('RESTORE-2: a DATA_DIR that is not empty is refused in one sentence, and not touched', async () => {
  await writeFile(join(dataDir, 'notes.txt'), 'mine')
  await assert.rejects(restoreHere(), {
    message: `DATA_DIR ${dataDir} is not empty: stop the server that uses it, and restore into an empty folder`,
  })
  assert.deepEqual(await readdir(dataDir), ['notes.txt'])
  await assert.rejects(
    restoreHere({ DATA_DIR: server.dataDir }),
    /is not empty: stop the server that uses it/,
  )
})

test('RESTORE-2: a database that is not empty is refused in one sentence, and not touched', async () => {
  await ask('create table mine (answer int)')
  await assert.rejects(restoreHere(), {
    message: 'the database is not empty: create an empty one, and set DATABASE_URL to it',
  })
  const tables = await ask<{ relname: string }>(
    `select relname from pg_class where relnamespace = 'public'::regnamespace`,
  )
  assert.deepEqual(tables, [{ relname: 'mine' }])
  assert.deepEqual(await readdir(dataDir), ['lock'])
})

test('RESTORE-3: no server starts on a database or in a DATA_DIR whose restore was not finished', async () => {
  await ask('create table unfinished_restore (since timestamptz)')
  const { code, text } = await runProgram(restoreSettings(dataDir, database))
  assert.equal(code, 1)
  assert.match(text, /A restore into this database was not finished: create an empty database/)
  await assert.rejects(restoreHere(), /the database is not empty/)
  await mkdir(join(dataDir, 'restoring'))
  const embedded = await runProgram({ DATA_DIR: dataDir })
  assert.equal(embedded.code, 1)
  assert.match(
    embedded.text,
    /A restore into DATA_DIR .* runs or was not finished: run npm run restore again/,
  )
})

test('RESTORE-4: a backup of a newer version is refused in one sentence before anything is written', async () => {
  const source = new pg.Client(await connectionOf(server))
  await source.connect()
  const newer = join(folder, 'newer')
  try {
    await source.query(`insert into migrations (name) values ('9999-of-tomorrow.sql')`)
    await backUp(server, [`--to=${newer}`])
  } finally {
    await source.query(`delete from migrations where name = '9999-of-tomorrow.sql'`)
    await source.end()
  }
  await assert.rejects(restore(restoreSettings(dataDir, database), [`--from=${newer}`]), {
    message:
      'the backup was made by a newer version of Foyer (migration 9999-of-tomorrow.sql): restore it with that version or a ' +
      'later one',
  })
  assert.deepEqual(await readdir(dataDir), [])
  await restoreHere()
})

test('RESTORE-5: a SECRET_KEY other than that of the backup is refused', async () => {
  await assert.rejects(restoreHere({ SECRET_KEY: 'another key, which is long enough' }), {
    message: 'SECRET_KEY is not the one of the backup: set the same one, or none if none was set',
  })
  assert.notEqual(fingerprintOf('one'), fingerprintOf('other'))
})

test('BACKUP-6: the commands end with one sentence and an exit code for bad input', async () => {
  const settings = { DATA_DIR: dataDir, BACKUP_PASSPHRASE: 'tea with three lumps' }
  const failing = async (
    name: 'backup' | 'restore',
    args: string[],
    changes: Record<string, string> = {},
  ) => {
    const { code, output, errors } = await runCommand(name, { ...settings, ...changes }, args)
    assert.deepEqual([code, output], [1, ''])
    assert.equal(errors.trim().split('\n').length, 1, errors)
    return errors
  }
  assert.match(await failing('backup', []), /name a folder or a bucket: --to=/)
  assert.match(await failing('backup', [`--to=${to}2`]), /no server has run with DATA_DIR=/)
  assert.match(await failing('backup', [`--to=${to}`, '--keep=0']), /--keep is the number of backups to keep/)
  assert.match(await failing('backup', ['--to=s3://bucket']), /needs BACKUP_S3_ENDPOINT/)
  for (const to of [
    's3://me:hunter2@bucket/prefix',
    's3://bucket/me:hunter2',
    'https://me:hunter2@example.org',
  ]) {
    const words = await failing('backup', [`--to=${to}`])
    assert.match(words, /no address like s3:\/\/bucket\/prefix/)
    assert.ok(!words.includes('hunter2'))
  }
  assert.match(await failing('backup', ['--two']), /Unknown option '--two'/)
  assert.match(
    await failing('backup', [`--to=${to}`, '--list'], { BACKUP_PASSPHRASE: 'short' }),
    /BACKUP_PASSPHRASE must have at least 12/,
  )
  assert.match(await failing('restore', [`--from=${to}-empty`]), /there is no backup in /)
  assert.match(await failing('restore', [`--from=${to}`, '--snapshot=../x']), /there is no backup \.\.\/x/)
  assert.match(
    await failing('backup', [`--to=${join(server.dataDir, 'secret.key')}`, '--list']),
    /cannot be used: it is no folder/,
  )
})

async function ask<Row>(text: string): Promise<Row[]> {
  const client = new pg.Client(database.connection)
  await client.connect()
  const { rows } = await client.query(text).finally(() => client.end())
  return rows
}
