import type pg from 'pg'
import pino from 'pino'
import { migrateJobs } from '#src/jobs/worker.ts'
import { migrateUnfinished } from '#src/kernel/database/migrate.ts'
import { wordsOf } from '#src/kernel/error-words.ts'
import { openPool } from '#src/kernel/sql/pool.ts'
import { BackupError } from './backup-error.ts'
import { dropParts, makeParts } from './loading-schema.ts'
import type { Manifest, TableEntry } from './manifest.ts'
import { fillTable, sumTable, type Vault } from './table-parts.ts'
import { listTables, quoted, setSequences, type Table } from './tables.ts'

/** Memory for building indexes. */
const INDEX_MEMORY = '256MB'

export interface Filling {
  vault: Vault
  manifest: Manifest
  connection: pg.ClientConfig
  client: pg.Client
  report: (line: string) => void
}

/**
 * Fills an empty database from a backup: migrates it to the backup's version, copies the rows in, compares each table with
 * its count and checksum, and then migrates it to this version.
 * @throws BackupError if a table differs
 */
export async function fillDatabase(filling: Filling): Promise<void> {
  const { connection, client, manifest, report } = filling
  await migrateUnfinished(connection, manifest.migrations)
  await makeQueue(connection)
  const tables = await knownTables(client, manifest.tables)
  await client.query(`set maintenance_work_mem to '${INDEX_MEMORY}'`)
  const dropped = await dropParts(client, tables)
  for (const entry of manifest.tables) await fillOne(filling, entry)
  report('database: building indexes')
  await makeParts(client, dropped)
  await setSequences(client, manifest.sequences)
  await compareTables(filling)
  await unlockJobs(client)
  await migrateUnfinished(connection)
  await client.query('analyze')
  await client.query('insert into restores default values')
}

/** Creates the tables of the job queue. */
async function makeQueue(connection: pg.ClientConfig): Promise<void> {
  // Errors need no handling here: a lost connection also fails the running statement.
  const jobs = openPool({ ...connection, max: 1 }, () => undefined)
  try {
    await migrateJobs(jobs.pool, pino({ level: 'silent' }))
  } finally {
    await jobs.close()
  }
}

/** @throws BackupError if the backup has a table or column that this version lacks after the same migrations */
async function knownTables(client: pg.Client, entries: readonly TableEntry[]): Promise<Table[]> {
  const known = new Map((await listTables(client)).map((table) => [table.name, new Set(table.columns)]))
  for (const { name, columns } of entries) {
    const unknown = columns.find((column) => !known.get(name)?.has(column))
    if (unknown !== undefined)
      throw new BackupError(
        `this version has no place for ${name}.${unknown} of the backup: restore it with the version that made it`,
      )
  }
  return [...known].map(([name, columns]) => ({ name, columns: [...columns] }))
}

/** Truncates and fills a table in one transaction, so that the embedded database (`wal_level` minimal) writes no WAL for it. */
async function fillOne({ vault, client, report }: Filling, entry: TableEntry): Promise<void> {
  await client.query('begin')
  await client.query(`truncate ${quoted(entry.name)}`)
  await fillTable(vault, client, entry).catch((error: unknown) => {
    throw error instanceof BackupError
      ? error
      : new BackupError(`the table ${entry.name} cannot be restored: ${wordsOf(error)}`, { cause: error })
  })
  await client.query('commit')
  if (entry.parts.length > 1) report(`${entry.name}: ${entry.rows} rows`)
}

async function compareTables({ client, manifest }: Filling): Promise<void> {
  for (const entry of manifest.tables) {
    const { rows, checksum } = await sumTable(client, entry)
    if (rows !== entry.rows)
      throw new BackupError(
        `the table ${entry.name} has ${rows} rows after the restore, and ${entry.rows} in the backup`,
      )
    if (checksum !== entry.checksum)
      throw new BackupError(`the table ${entry.name} differs from its checksum after the restore`)
  }
}

/** Unlocks jobs that the old server was running. The interrupted attempt does not count. */
async function unlockJobs(client: pg.Client): Promise<void> {
  await client.query(
    `update graphile_worker._private_job_queues set locked_at = null, locked_by = null where locked_at is not null`,
  )
  await client.query(
    `update graphile_worker._private_jobs
    set locked_at = null, locked_by = null, attempts = greatest(attempts - 1, 0) where locked_at is not null`,
  )
}
