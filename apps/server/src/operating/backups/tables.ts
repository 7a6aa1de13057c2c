import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { UNFINISHED_RESTORE } from '#src/kernel/database/migrate.ts'
import { BackupError } from './backup-error.ts'

/** Schema of the job queue. */
const JOBS = 'graphile_worker'

/** A table of the server or of its job queue. */
export interface Table {
  /** Table name, with the prefix `graphile_worker.` for tables of the job queue. */
  name: string
  /** Column names in alphabetical order, without generated columns. */
  columns: string[]
}

/** A sequence that has been used. */
export interface Sequence {
  name: string
  last_value: string
}

/**
 * Lists the tables to back up. It omits the journal, because no client can resume after a restore; the lists of
 * migrations, because the restore migrates by itself; and unlogged tables, because a crash empties them, too.
 */
export async function listTables(client: pg.Client): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select case when nspname = $1 then nspname || '.' || relname else relname end as name,
      array(
        select attname::text collate "C" from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '' order by 1) as columns
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind = 'r' and relpersistence = 'p' and not relispartition and nspname in (current_schema(), $1)
      and relname not in ('migrations', $2) and relname !~ '^events_[0-9]{10}$'
    order by 1`,
    [JOBS, UNFINISHED_RESTORE],
  )
  return rows
}

/** Reads the current values of sequences, which are not part of a snapshot. They are at least as high as in the snapshot. */
export async function listSequences(client: pg.Client): Promise<Sequence[]> {
  const { rows } = await client.query<Sequence>(
    `select case when schemaname = $1 then schemaname || '.' || sequencename else sequencename end as name,
      last_value::text as last_value
    from pg_sequences where schemaname in (current_schema(), $1) and last_value is not null order by 1`,
    [JOBS],
  )
  return rows
}

export async function setSequences(client: pg.Client, sequences: readonly Sequence[]): Promise<void> {
  for (const { name, last_value } of sequences)
    await client.query('select setval($1::regclass, $2)', [quoted(name), last_value])
}

/** Returns the name of a table or sequence as part of a statement. */
export function quoted(name: string): string {
  return name.split('.').map(pg.escapeIdentifier).join('.')
}

/** Returns the table and its columns as part of a COPY statement. */
export function copyTarget({ name, columns }: Table): string {
  return `${quoted(name)} (${columns.map(pg.escapeIdentifier).join(', ')})`
}

/** Session settings that give equal values equal texts, and allow long statements. */
const SESSION = [
  `set timezone to 'UTC'`,
  `set datestyle to 'ISO, YMD'`,
  `set intervalstyle to 'postgres'`,
  `set bytea_output to 'hex'`,
  'set extra_float_digits to 1',
  'set statement_timeout to 0',
  'set idle_in_transaction_session_timeout to 0',
  'set synchronize_seqscans to off',
  'set idle_session_timeout to 0',
  // PostgreSQL has `transaction_timeout` since version 17.
  `select set_config(name, '0', false) from pg_settings where name = 'transaction_timeout'`,
]

/** Longest wait for an orderly disconnect. PostgreSQL does not answer while it still sends a table to a failed backup. */
const CLOSE_MS = 1000

export interface OpenClient {
  client: pg.Client
  close(): Promise<void>
}

/**
 * Connects for a backup or a restore.
 * @throws BackupError if the database does not answer
 */
export async function openClient(connection: pg.ClientConfig, purpose: string): Promise<OpenClient> {
  const given = { application_name: `foyer ${purpose}`, keepAlive: true }
  const client = new pg.Client({ ...connection, ...given })
  // Errors need no handling here: a lost connection also fails the running statement.
  client.on('error', () => undefined)
  await client.connect().catch((cause: Error) => {
    client.connection.stream.destroy()
    throw new BackupError(`the database cannot be reached: ${cause.message}`, { cause })
  })
  const close = async () => {
    await Promise.race([client.end(), delay(CLOSE_MS, undefined, { ref: false })])
    client.connection.stream.destroy()
  }
  try {
    for (const setting of SESSION) await client.query(setting)
    return { client, close }
  } catch (error) {
    await close()
    throw error
  }
}
