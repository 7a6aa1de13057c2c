import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { migrateUnfinished } from '#src/kernel/database/migrate.ts'
import { makeEmptyDatabase, type TestDatabase } from '../database.ts'
import { connectionTo, query } from '../valkey/cluster.ts'

export const MIGRATIONS = join(import.meta.dirname, '../../migrations')
/** Last migration of the old version. */
const OLD_LAST = '0040'

/** Creates a database as an old version left it, with a user. */
export async function makeOldDatabase(): Promise<TestDatabase> {
  const database = await makeEmptyDatabase()
  await fillOld(database.connection)
  return database
}

/** Fills an empty database as an old version left it. */
export async function fillOld(connection: pg.ClientConfig): Promise<void> {
  await migrateUnfinished(connection, await listOld())
  await ask(
    connection,
    `insert into users (id, username, email) values (gen_random_uuid(), 'old', 'old@example.org')`,
  )
}

export async function listOld(): Promise<{ name: string; checksum: null }[]> {
  const names = (await readdir(MIGRATIONS)).filter((name) => name.slice(0, 4) <= OLD_LAST).sort()
  return names.map((name) => ({ name, checksum: null }))
}

/**
 * Copies a database. `drop` also drops the databases that updates have made beside the copy.
 * @param bytes length of the copy's name
 */
export async function copyOf(original: TestDatabase, bytes = 27): Promise<TestDatabase> {
  const [template] = await ask<{ name: string }>(original.connection, 'select current_database() as name')
  const server = connectionTo(original.connection, 'postgres')
  const name = `foyer_test_${randomBytes(8).toString('hex')}`.padEnd(bytes, 'x')
  await query(server, `create database ${name} template ${template?.name} strategy file_copy`)
  return { connection: connectionTo(server, name), drop: () => dropAll(server, name) }
}

/** Drops a database and all databases whose names begin with its name. */
export async function dropAll(server: pg.ClientConfig, name: string): Promise<void> {
  for (const { datname } of await ask<{ datname: string }>(
    server,
    `select datname from pg_database where starts_with(datname, '${name}')`,
  ))
    await query(server, `drop database ${datname} with (force)`)
}

export async function ask<Row>(connection: pg.ClientConfig, text: string): Promise<Row[]> {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query(text).finally(() => client.end())
  return rows
}

/** Lists the databases whose names begin with this database's name. Returns the rest of each name. */
export async function listBeside(connection: pg.ClientConfig): Promise<string[]> {
  const rows = await ask<{ name: string }>(
    connection,
    `select substring(datname from length(current_database()) + 1) as name from pg_database
    where starts_with(datname, current_database()) and datname <> current_database() order by 1`,
  )
  return rows.map(({ name }) => name)
}

export async function listMigrations(connection: pg.ClientConfig): Promise<string[]> {
  const rows = await ask<{ name: string }>(connection, 'select name from migrations order by name')
  return rows.map(({ name }) => name)
}

/** Returns the connection options of a database that `listBeside` lists. @param end the name in that list */
export async function besideOf(connection: pg.ClientConfig, end: string): Promise<pg.ClientConfig> {
  const [row] = await ask<{ name: string }>(connection, 'select current_database() as name')
  return connectionTo(connection, `${row?.name}${end}`)
}

/** Downgrades a database to the version before versions were recorded, so that the next start is an update. */
export async function makeOlder(connection: pg.ClientConfig): Promise<void> {
  await ask(
    connection,
    `begin;
    drop table versions;
    alter table restores drop column is_rollback;
    delete from migrations where name = '0056-versions.sql';
    commit`,
  )
}
