import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'

const MIGRATIONS = join(import.meta.dirname, '../../migrations')
const FILE_NAME = /^\d{4}-[a-z0-9-]+\.sql$/
/** Any number nobody else locks: "foyer" as ASCII. */
const MIGRATION_LOCK = 0x666f796572

/**
 * Brings the database's tables up to this version: runs the files of the folder that it has not seen, in order, each in
 * a transaction of its own. Migrations that this version does not know are left alone, because the next version may have
 * migrated while this one serves.
 */
export async function migrate(connection: pg.ClientConfig, folder = MIGRATIONS): Promise<void> {
  const client = new pg.Client({ ...connection, application_name: 'foyer migrate' })
  await client.connect()
  try {
    // Held by the session: processes that start together wait here for the first of them.
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await client.query(
      'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
    )
    for (const name of await listPending(client, folder)) await apply(client, folder, name)
  } finally {
    await client.end()
  }
}

async function listPending(client: pg.Client, folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  names.forEach(checkName)
  const { rows } = await client.query<{ name: string }>('select name from migrations')
  const applied = new Set(rows.map((row) => row.name))
  return names.filter((name) => !applied.has(name))
}

/** Two branches that took the same number would run in an order that nobody tested. */
function checkName(name: string, index: number, names: string[]): void {
  if (!FILE_NAME.test(name)) throw new Error(`Migration ${name} is not named like 0001-words-of-it.sql`)
  const previous = names[index - 1]
  if (previous?.slice(0, 4) === name.slice(0, 4)) {
    throw new Error(`Migrations ${previous} and ${name} have the same number`)
  }
}

async function apply(client: pg.Client, folder: string, name: string): Promise<void> {
  const text = await readFile(join(folder, name), 'utf8')
  await client.query('begin')
  try {
    await client.query(text)
    await client.query('insert into migrations (name) values ($1)', [name])
    await client.query('commit')
  } catch (cause) {
    await client.query('rollback')
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`Migration ${name} failed and was undone: ${reason}`, { cause })
  }
}
