import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import pg from 'pg'
import { endOfHeldFiles } from '#src/kernel/database/snapshot-names.ts'
import type { TestDatabase } from '#test/database.ts'
import { as, folderWith, giveToRole, listNew } from '#test/updates/newer-versions.ts'
import { ask, copyOf, listBeside, listMigrations, makeOldDatabase } from '#test/updates/old-databases.ts'
import { updateOf } from '#test/updates/updates.ts'
import { connectionTo, query } from '#test/valkey/cluster.ts'
import { dropOverdue } from './jobs.ts'
import { connectionTo as connectionBeside } from './server-databases.ts'
import { migrateSafely } from './updating.ts'

const DAY_MS = 86_400_000
const BEFORE = '_before_update'
const noLog = { info: () => undefined }

let old: TestDatabase
let database: TestDatabase
let folder: string
before(async () => {
  old = await makeOldDatabase()
  folder = await mkdtemp(join(tmpdir(), 'foyer-updates-'))
})
after(async () => {
  await old.drop()
  await rm(folder, { recursive: true, force: true })
})
beforeEach(async () => {
  database = await copyOf(old)
})
afterEach(() => database.drop())

test('UPDATE-6: a database whose name leaves no space for those of others is updated without a copy, and nothing is dropped', async (t) => {
  for (const bytes of [41, 49, 63]) {
    const { connection, drop } = await copyOf(old, bytes)
    t.after(drop)
    const [self] = await ask<{ name: string }>(connection, 'select current_database() as name')
    assert.equal(self?.name.length, bytes)
    const before = `${self?.name}${BEFORE}`
    if (bytes < 50) await query(connectionTo(connection, 'postgres'), `create database ${before}`)
    const update = updateOf(connection)
    await migrateSafely(update)
    await dropOverdue(
      { config: { updateSnapshotDays: 0 }, directConnection: connection, log: noLog },
      Date.now() + DAY_MS,
    )
    assert.deepEqual(update.warnings, [
      'this update has no snapshot to go back to: the name of the database is longer than 40 bytes',
    ])
    assert.deepEqual(await ask(connection, 'select username from users'), [{ username: 'old' }])
    assert.deepEqual(await listMigrations(connection), await listNew())
    assert.deepEqual(await listBeside(connection), bytes < 50 ? [BEFORE] : [])
  }
})

test('UPDATE-1: a name of 40 bytes is short enough', async (t) => {
  const { connection, drop } = await copyOf(old, 40)
  t.after(drop)
  await migrateSafely(updateOf(connection))
  const migrations = await folderWith(folder, { '9999-works.sql': 'create table made (id int)' })
  const again = updateOf(connection, { migrations })
  await migrateSafely(again)
  assert.deepEqual(again.warnings, [])
  assert.deepEqual(await listBeside(connection), [BEFORE])
})

test('UPDATE-7: databases of a person are never dropped, whatever their names', async () => {
  const { connection } = database
  const [self] = await ask<{ name: string }>(connection, 'select current_database() as name')
  const server = connectionTo(connection, 'postgres')
  const ends = ['_before_update_outdated', '_rolled_back', '_rolled_back_outdated', '_update_copy']
  for (const end of ends) await query(server, `create database ${self?.name}${end} template template0`)
  const update = updateOf(connection)
  await migrateSafely(update)
  const deps = {
    config: { updateSnapshotDays: 7 },
    directConnection: connection,
    log: noLog,
  }
  await dropOverdue(deps)
  assert.deepEqual(update.warnings, [])
  assert.deepEqual(await listBeside(connection), [BEFORE, ...ends].sort())
})

test('UPDATE-7: a database of such a name without our comment keeps no files', async () => {
  const { connection } = database
  const [self] = await ask<{ name: string }>(connection, 'select current_database() as name')
  await query(
    connectionTo(connection, 'postgres'),
    `create database ${self?.name}${BEFORE} template template0`,
  )
  assert.deepEqual(await ask(connection, `select ${endOfHeldFiles.texts.join('')} as held`), [
    { held: -Infinity },
  ])
})

test('UPDATE-7: a copy that belongs to another role does not stop the start', async () => {
  const { connection } = database
  const [self] = await ask<{ name: string }>(connection, 'select current_database() as name')
  const server = connectionTo(connection, 'postgres')
  await query(server, `create database ${self?.name}_foyer_update_copy template template0`)
  const role = await giveToRole(connection)
  await query(server, `alter role ${role} createdb`)
  const update = updateOf(as(role, connection), { migrateQueue: async () => undefined })
  await migrateSafely(update)
  assert.deepEqual(update.warnings, [
    `this update has no snapshot to go back to: database "${self?.name}_foyer_update_copy" already exists`,
  ])
  await database.drop()
  await query(server, `drop role ${role}`)
})

test('UPDATE-1: an address may name a database with signs in its name', () => {
  for (const name of ['foyer+prod', 'foyer prod', 'foyer%prod', 'foyer']) {
    const connection = connectionBeside(
      { connectionString: 'postgres://mira@localhost/other?host=/run' },
      name,
    )
    assert.equal(new pg.Client(connection).database, name)
  }
})

test('UPDATE-7: a database of such a name that is no snapshot is never dropped', async () => {
  const { connection } = database
  const [self] = await ask<{ name: string }>(connection, 'select current_database() as name')
  await query(
    connectionTo(connection, 'postgres'),
    `create database ${self?.name}${BEFORE} template template0`,
  )
  const update = updateOf(connection)
  await migrateSafely(update)
  assert.deepEqual(update.warnings, [
    `this update has no snapshot to go back to: database "${self?.name}${BEFORE}" already exists`,
  ])
  const deps = {
    config: { updateSnapshotDays: 0 },
    directConnection: connection,
    log: noLog,
  }
  await dropOverdue(deps)
  assert.deepEqual(await listBeside(connection), [BEFORE])
  assert.deepEqual(await listMigrations(connection), await listNew())
})
