import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import pg from 'pg'
import { cloneDatabase, type TestDatabase } from '#test/database.ts'
import { migrate } from './migrate.ts'

let folder: string
let database: TestDatabase

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foyer-migrations-'))
  database = await cloneDatabase()
})

afterEach(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

test('runs the files in order, and each of them once', async () => {
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

test('undoes the whole file that fails, names it, and runs it again when it is mended', async () => {
  await writeFile(join(folder, '0001-first.sql'), 'create table steps (step int);')
  await writeFile(
    join(folder, '0002-second.sql'),
    'insert into steps values (2); insert into nowhere values (1);',
  )
  await assert.rejects(migrate(database.connection, folder), {
    message: 'Migration 0002-second.sql failed and was undone: relation "nowhere" does not exist',
  })
  assert.deepEqual(await listSteps(), [])

  await writeFile(join(folder, '0002-second.sql'), 'insert into steps values (2);')
  await migrate(database.connection, folder)

  assert.deepEqual(await listSteps(), [2])
})

test('lets processes that start together wait for the first of them', async () => {
  const slow = 'create table steps (step int); select pg_sleep(0.1); insert into steps values (1);'
  await writeFile(join(folder, '0001-first.sql'), slow)
  await Promise.all([1, 2, 3].map(() => migrate(database.connection, folder)))
  assert.deepEqual(await listSteps(), [1])
})

test('leaves what a newer version has done alone', async () => {
  await writeFile(join(folder, '0001-first.sql'), 'create table steps (step int);')
  await writeFile(join(folder, '0002-second.sql'), 'insert into steps values (2);')
  await migrate(database.connection, folder)
  await rm(join(folder, '0002-second.sql'))
  await migrate(database.connection, folder)
  assert.deepEqual(await listSteps(), [2])
})

test('refuses two files of the same number', async () => {
  await writeFile(join(folder, '0001-first.sql'), 'select 1')
  await writeFile(join(folder, '0001-other.sql'), 'select 1')
  await assert.rejects(
    migrate(database.connection, folder),
    /0001-first\.sql and 0001-other\.sql have the same/,
  )
})

async function listSteps(): Promise<number[]> {
  const client = new pg.Client(database.connection)
  await client.connect()
  const { rows } = await client.query('select step from steps order by step').finally(() => client.end())
  return rows.map((row) => row.step)
}
