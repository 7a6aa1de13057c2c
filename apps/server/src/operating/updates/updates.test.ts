import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { migrate } from '#src/kernel/database/migrate.ts'
import { makeEmptyDatabase, type TestDatabase } from '#test/database.ts'
import { as, folderWith, giveToRole, listNew } from '#test/updates/newer-versions.ts'
import {
  ask,
  besideOf,
  copyOf,
  listBeside,
  listMigrations,
  listOld,
  makeOldDatabase,
} from '#test/updates/old-databases.ts'
import { updateOf } from '#test/updates/updates.ts'
import { connectionTo, query } from '#test/valkey/cluster.ts'
import { dropOverdue } from './jobs.ts'
import { migrateSafely } from './updating.ts'

const DAY_MS = 86_400_000
const BEFORE = '_before_update'

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

test('UPDATE-1: the first start of a newer version migrates a copy, which takes the place of the original; that is kept', async () => {
  const { connection } = database
  await migrateSafely(updateOf(connection))
  assert.deepEqual(await listMigrations(connection), await listNew())
  assert.deepEqual(await ask(connection, 'select username from users'), [{ username: 'old' }])
  assert.deepEqual(await listBeside(connection), [BEFORE])
  const kept = await besideOf(connection, BEFORE)
  assert.deepEqual(
    await listMigrations(kept),
    (await listOld()).map(({ name }) => name),
  )
  assert.deepEqual(await ask(kept, 'select username from users'), [{ username: 'old' }])
})

test('UPDATE-1: the copy has everything that the original has', async () => {
  const { connection } = database
  const [self] = await ask<{ name: string; user: string }>(
    connection,
    'select current_database() as name, current_user as user',
  )
  const role = `${self?.name}_guest`
  await ask(
    connection,
    `create role ${role};
    create sequence counter; select nextval('counter'), nextval('counter');
    create unlogged table fleeting as select 7 as answer;
    create collation german (provider = icu, locale = 'de-u-co-phonebk');
    create table sorted (name text collate german);
    select lo_from_bytea(4711, 'large');
    alter database ${self?.name} set search_path to "$user", public, other;
    alter database ${self?.name} set foyer.note to 'it''s ours';
    alter role ${role} in database ${self?.name} set work_mem to '5MB';
    revoke all on database ${self?.name} from public;
    grant connect on database ${self?.name} to ${role} with grant option`,
  )
  const state = () =>
    ask(
      connection,
      `select datdba, datcollate, datctype, datlocprovider, datconnlimit, encoding,
        (select array_agg(acl order by acl) from (select split_part(unnest(datacl)::text, '/', 1) as acl) as acls) as acls,
        (select array_agg(setrole || entry order by setrole, entry) from pg_db_role_setting, unnest(setconfig) as entry
          where setdatabase = pg_database.oid) as settings,
        (select last_value from counter) as counter, (select answer from fleeting) as answer,
        convert_from(lo_get(4711), 'utf8') as large, current_setting('foyer.note') as note,
        (select count(*) from pg_extension) as extensions
      from pg_database where datname = current_database()`,
    )
  const before = await state()
  await migrateSafely(updateOf(connection))
  assert.deepEqual(await state(), before)
  assert.deepEqual(await listBeside(connection), [BEFORE])
  await database.drop()
  await ask(connectionTo(connection, 'postgres'), `drop role ${role}`)
})

test('UPDATE-2: a new database, and one that lacks nothing, are not copied', async (t) => {
  const empty = await makeEmptyDatabase()
  t.after(() => empty.drop())
  await migrateSafely(updateOf(empty.connection))
  await migrateSafely(updateOf(empty.connection))
  assert.deepEqual(await listMigrations(empty.connection), await listNew())
  assert.deepEqual(await listBeside(empty.connection), [])
})

test('UPDATE-3: a migration that fails changes nothing, and the sentence says how to go on', async () => {
  const { connection } = database
  const migrations = await folderWith(folder, {
    '9998-works.sql': 'create table made (id int)',
    '9999-fails.sql': 'insert into nowhere values (1)',
  })
  await assert.rejects(migrateSafely(updateOf(connection, { migrations })), {
    message:
      'Migration 9999-fails.sql failed and was rolled back: relation "nowhere" does not exist; this was a copy of the ' +
      'database: nothing has changed; you can start the version that ran before again',
  })
  assert.deepEqual(
    await listMigrations(connection),
    (await listOld()).map(({ name }) => name),
  )
  assert.deepEqual(await listBeside(connection), [])
})

test('UPDATE-3: the sentence names the version that ran before, and a queue that cannot be migrated counts as well', async () => {
  const { connection } = database
  await migrate(connection)
  await ask(connection, `insert into versions (version, commit) values ('0.9.1', '0123456789abcdef')`)
  const migrations = await folderWith(folder, { '9999-works.sql': 'select 1' })
  const migrateQueue = () => Promise.reject(new Error('the queue is of a newer version'))
  await assert.rejects(migrateSafely(updateOf(connection, { migrations, migrateQueue })), {
    message:
      'the queue is of a newer version; this was a copy of the database: nothing has changed; you can start version ' +
      '0.9.1 (commit 0123456789ab) again',
  })
  assert.deepEqual(await listMigrations(connection), await listNew())
  assert.deepEqual(await listBeside(connection), [])
})

test('UPDATE-6: with another process connected, as in a rolling update, the database itself is migrated, and a warning says why', async () => {
  const { connection } = database
  const other = new pg.Client(connection)
  await other.connect()
  const update = updateOf(connection)
  await migrateSafely(update)
  assert.deepEqual((await other.query('select username from users')).rows, [{ username: 'old' }])
  await other.end()
  assert.deepEqual(update.warnings, [
    'this update has no snapshot to go back to: other processes are connected to the database, as in a rolling update: ' +
      `a program without a name of the user ${connection.user}`,
  ])
  assert.deepEqual(await listMigrations(connection), await listNew())
  assert.deepEqual(await listBeside(connection), [])
})

test('UPDATE-6: so it is without the right to create databases, and with UPDATE_SNAPSHOT_DAYS=0', async () => {
  const { connection } = database
  const role = await giveToRole(connection)
  const update = updateOf(as(role, connection), { migrateQueue: async () => undefined })
  await migrateSafely(update)
  assert.deepEqual(update.warnings, [
    'this update has no snapshot to go back to: permission denied to create database',
  ])
  assert.deepEqual(await listMigrations(connection), await listNew())
  assert.deepEqual(await listBeside(connection), [])
  const migrations = await folderWith(folder, { '9999-works.sql': 'create table made (id int)' })
  const without = updateOf(connection, { migrations, days: 0 })
  await migrateSafely(without)
  assert.deepEqual(without.warnings, ['this update has no snapshot to go back to: UPDATE_SNAPSHOT_DAYS is 0'])
  assert.deepEqual(await listBeside(connection), [])
  const server = connectionTo(connection, 'postgres')
  await database.drop()
  await query(server, `drop role ${role}`)
})

test('UPDATE-6: what is written by a program that connects while the database is copied is not lost: it is copied again', async () => {
  const { connection } = database
  await ask(connection, 'create table visits (number int)')
  let copies = 0
  const update = updateOf(connection, {
    async onCopied() {
      copies += 1
      if (copies === 1) await ask(connection, 'insert into visits values (1)')
    },
  })
  await migrateSafely(update)
  assert.equal(copies, 2)
  assert.deepEqual(update.warnings, [])
  assert.deepEqual(await ask(connection, 'select number from visits'), [{ number: 1 }])
  assert.deepEqual(await ask(await besideOf(connection, BEFORE), 'select number from visits'), [
    { number: 1 },
  ])
  assert.deepEqual(await listMigrations(connection), await listNew())
})

test('UPDATE-7: the next update takes the place of the last, and the database that is kept is dropped after its days', async () => {
  const { connection } = database
  const dropping = (now?: number) =>
    dropOverdue(
      { config: { updateSnapshotDays: 7 }, directConnection: connection, log: { info: () => undefined } },
      now,
    )
  await migrateSafely(updateOf(connection))
  await ask(connection, `insert into versions (version, commit) values ('1.0.0', '')`)
  const migrations = await folderWith(folder, { '9999-works.sql': 'create table made (id int)' })
  await migrateSafely(updateOf(connection, { migrations }))
  assert.deepEqual(await listBeside(connection), [BEFORE])
  assert.deepEqual(await listMigrations(await besideOf(connection, BEFORE)), await listNew())
  await dropping(Date.now() + 6 * DAY_MS)
  assert.deepEqual(await listBeside(connection), [BEFORE])
  await dropping(Date.now() + 7 * DAY_MS + 1000)
  assert.deepEqual(await listBeside(connection), [])
})

test('UPDATE-6: a process that waits for an update without a copy does not copy what is migrated', async () => {
  const { connection } = database
  const other = new pg.Client(connection)
  await other.connect()
  const warnings: unknown[] = []
  let ended = Promise.resolve()
  const warn = (text: unknown) => {
    warnings.push(text)
    ended = other.end()
  }
  const update = updateOf(connection, { log: { info: () => undefined, warn }, unusedMs: 300 })
  await Promise.all([migrateSafely(update), migrateSafely(update), migrateSafely(update)])
  await ended
  assert.equal(warnings.length, 1)
  assert.deepEqual(await listBeside(connection), [])
  assert.deepEqual(await listMigrations(connection), await listNew())
})

test('UPDATE-6: processes that start at the same time wait for the one that updates', async () => {
  const { connection } = database
  let copies = 0
  const others: Promise<void>[] = []
  const other = updateOf(connection)
  const update = updateOf(connection, {
    async onCopied() {
      copies += 1
      if (copies > 1) return
      others.push(...[1, 2, 3].map(() => migrateSafely(other)))
      await delay(300)
    },
  })
  await migrateSafely(update)
  await Promise.all(others)
  assert.equal(copies, 1)
  assert.deepEqual([...update.warnings, ...other.warnings], [])
  assert.deepEqual(await listBeside(connection), [BEFORE])
})
