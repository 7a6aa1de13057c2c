import { randomBytes } from 'node:crypto'
import { after } from 'node:test'
import type pg from 'pg'
import { sql } from '#src/kernel/sql/sql.ts'
import type { RunningServer } from '#src/start.ts'
import {
  connectionTo,
  query,
  type RunningTestCluster,
  startTestCluster,
  type TestCluster,
} from './valkey/cluster.ts'

export interface TestDatabase {
  connection: pg.ClientConfig
  drop(): Promise<void>
}

let own: Promise<RunningTestCluster> | undefined
// Only needed for a test file that runs by itself, without bin/test.
after(async () => (await own)?.stop())

/** Creates a database for one test file, with all tables and no rows. */
export async function cloneDatabase(): Promise<TestDatabase> {
  const { server, template } = await findCluster()
  const name = `foyer_test_${randomBytes(8).toString('hex')}`
  // Takes 15–50 ms with 17 tables. The wal_log strategy takes 30–140 ms.
  await query(server, `create database ${name} template ${template} strategy file_copy`)
  return {
    connection: connectionTo(server, name),
    drop: () => query(server, `drop database ${name} with (force)`),
  }
}

/** Creates a database without any table. */
export async function makeEmptyDatabase(): Promise<TestDatabase> {
  const { server } = await findCluster()
  const name = `foyer_test_${randomBytes(8).toString('hex')}`
  await query(server, `create database ${name} template template0`)
  return {
    connection: connectionTo(server, name),
    drop: () => query(server, `drop database ${name} with (force)`),
  }
}

/** Returns a value for DATABASE_URL. */
export function urlOf({ connection: { host, port, user, password, database } }: TestDatabase): string {
  const url = new URL(`postgres://localhost/${database}`)
  url.username = user ?? ''
  url.password = typeof password === 'string' ? password : ''
  url.port = `${port ?? ''}`
  url.searchParams.set('host', host ?? '')
  return url.href
}

/** Returns the connection settings of a server's database, for direct access. */
export async function connectionOf({ deps }: RunningServer): Promise<pg.ClientConfig> {
  const { server } = await findCluster()
  const [row] = await deps.database.query<{ name: string }>(sql`select current_database() as name`)
  return connectionTo(server, row?.name ?? '')
}

async function findCluster(): Promise<TestCluster> {
  const found = process.env.FOYER_TEST_PG
  if (found !== undefined) return JSON.parse(found)
  own ??= startTestCluster()
  return own
}
