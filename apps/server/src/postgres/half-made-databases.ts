import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'

/** Smallest id of a database that was created after initdb. Databases with smaller ids came with the cluster. */
const FIRST_ID = 16_384

/**
 * Removes the folders of databases that PostgreSQL does not know: it was killed while it copied or dropped a database, and
 * never cleans up. Only call this before other connections, which could create a database.
 */
export async function removeHalfMade(folder: string, connection: pg.ClientConfig): Promise<void> {
  const base = join(folder, 'base')
  // Listed before the query for known ids, so that a database created in between is not removed.
  const names = (await readdir(base)).filter((name) => /^\d+$/.test(name) && Number(name) >= FIRST_ID)
  if (names.length === 0) return
  const known = await listIds(connection)
  for (const name of names) if (!known.has(name)) await rm(join(base, name), { recursive: true, force: true })
}

async function listIds(connection: pg.ClientConfig): Promise<Set<string>> {
  const client = new pg.Client({ ...connection, database: 'postgres' })
  // A lost connection also fails the running statement. Without a listener, its event would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<{ id: string }>('select oid::text as id from pg_database')
    return new Set(rows.map(({ id }) => id))
  } finally {
    await client.end()
  }
}
