import assert from 'node:assert/strict'
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import pg from 'pg'
import { cloneDatabase, type TestDatabase, urlOf } from '#test/database.ts'
import { runProgram } from '#test/processes/program.ts'
import { migrate } from './migrate.ts'

const ADVICE = 'start that version or a later one, or restore the backup from before the upgrade'

let folder: string
let database: TestDatabase

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-migrations-'))
  database = await cloneDatabase()
  // As a new database: it knows none of the migrations that made it.
  await ask('drop table migrations')
})

afterEach(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

test('migrations run in order, and each once', async () => {
  await writeFile(join(folder, '0002-second.sql'), 'insert into steps values (2);')
  await writeFile(
    join(folder, '0001-first.sql'),
    'create table steps (step int); insert into steps values (1);',
  )
  await migrate(database.connection, folder)
  await writeFile(join(folder, '0003-third.sql'), 'insert into steps values (3);')

  await migrate(database.connection, folder)

  assert.deepEqual(await listSteps(), [1, 2, 3])
})

test('a failed migration is rolled back as a whole and named, and runs again once it is fixed', async () => {
  await writeFile(join(folder, '0001-first.sql'), 'create table steps (step int);')
  await writeFile(
    join(folder, '0002-second.sql'),
    'insert into steps values (2); insert into nowhere values (1);',
  )
  await assert.rejects(migrate(database.connection, folder), {
    message: 'Migration 0002-second.sql failed and was rolled back: relation "nowhere" does not exist',
  })
  assert.deepEqual(await listSteps(), [])

  await writeFile(join(folder, '0002-second.sql'), 'insert into steps values (2);')
  await migrate(database.connection, folder)

  assert.deepEqual(await listSteps(), [2])
})

test('processes that start at once wait for the first of them', async () => {
  const slow = 'create table steps (step int); select pg_sleep(0.1); insert into steps values (1);'
  await writeFile(join(folder, '0001-first.sql'), slow)
  await Promise.all([1, 2, 3].map(() => migrate(database.connection, folder)))
  assert.deepEqual(await listSteps(), [1])
})

test('DATA-19: a changed migration is refused, in one sentence and without a write', async () => {
  await writeFile(join(folder, '0001-first.sql'), 'create table steps (step int);')
  await writeFile(join(folder, '0002-second.sql'), 'insert into steps values (2);')
  await migrate(database.connection, folder)
  await migrate(database.connection, folder)
  await writeFile(join(folder, '0001-first.sql'), 'create table steps (step bigint);')
  await writeFile(join(folder, '0003-third.sql'), 'insert into steps values (3);')
  await forbidWrites()
  await assert.rejects(migrate(database.connection, folder), {
    message:
      'Migration 0001-first.sql was changed after it ran on this database: restore the file of the version that ran ' +
      'it, and write the change as a new migration',
  })
  assert.deepEqual(await listSteps(), [2])
})

test('DATA-19: a database without checksums takes those of the current files', async () => {
  await writeFile(join(folder, '0001-first.sql'), 'create table steps (step int);')
  await migrate(database.connection, folder)
  await ask('alter table migrations drop column checksum')
  await migrate(database.connection, folder)
  await writeFile(join(folder, '0001-first.sql'), 'create table steps (step bigint);')
  await assert.rejects(migrate(database.connection, folder), /Migration 0001-first\.sql was changed/)
})

test('DATA-20: a database that a newer version has migrated is refused, in one sentence and without a write', async () => {
  await writeFile(join(folder, '0001-first.sql'), 'create table steps (step int);')
  await writeFile(join(folder, '0003-third.sql'), 'insert into steps values (3);')
  await migrate(database.connection, folder)
  await rm(join(folder, '0003-third.sql'))
  await writeFile(join(folder, '0002-second.sql'), 'insert into steps values (2);')
  await forbidWrites()
  await assert.rejects(migrate(database.connection, folder), {
    message: `A newer version of Foyer has changed this database (migration 0003-third.sql): ${ADVICE}`,
  })
  assert.deepEqual(await listSteps(), [3])
})

test('DATA-20: the server does not start on a database that a newer version has migrated', async () => {
  const newer = await cloneDatabase()
  const dataDir = join(folder, 'data')
  try {
    const client = new pg.Client(newer.connection)
    await client.connect()
    await client.query("insert into migrations (name) values ('9999-of-tomorrow.sql')")
    await client.end()
    const { code, text } = await runProgram({ DATA_DIR: dataDir, DATABASE_URL: urlOf(newer) })
    assert.equal(code, 1)
    const why = 'A newer version of Foyer has changed this database (migration 9999-of-tomorrow.sql)'
    assert.equal(text, `Foyer could not start: ${why}: ${ADVICE}\n`)
    await assert.rejects(access(dataDir), { code: 'ENOENT' })
  } finally {
    await newer.drop()
  }
})

test('two files with the same number are refused', async () => {
  await writeFile(join(folder, '0001-first.sql'), 'select 1')
  await writeFile(join(folder, '0001-other.sql'), 'select 1')
  await assert.rejects(
    migrate(database.connection, folder),
    /0001-first\.sql and 0001-other\.sql have the same/,
  )
})

async function listSteps(): Promise<number[]> {
  const rows = await ask<{ step: number }>('select step from steps order by step')
  return rows.map((row) => row.step)
}

/** From now on whatever writes fails with an error of PostgreSQL's. */
async function forbidWrites(): Promise<void> {
  const [row] = await ask<{ name: string }>('select current_database() as name')
  await ask(`alter database ${row?.name} set default_transaction_read_only = on`)
}

async function ask<Row>(text: string): Promise<Row[]> {
  const client = new pg.Client(database.connection)
  await client.connect()
  const { rows } = await client.query(text).finally(() => client.end())
  return rows
}
