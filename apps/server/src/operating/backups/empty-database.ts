import pg from 'pg'
import { UNFINISHED_RESTORE } from '#src/kernel/database/migrate.ts'
import { BackupError } from './backup-error.ts'

/**
 * Marks an empty database as being filled by a restore. No server starts on it until the mark is removed.
 * @param restoreId id of the restore
 * @throws BackupError if the database is not empty
 */
export async function markUnfinished(client: pg.Client, restoreId: string): Promise<void> {
  const { rowCount } = await client.query(
    `select from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where relkind in ('r', 'p', 'v', 'm', 'f', 'S') and nspname <> 'information_schema' and nspname !~ '^pg_'
      and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e') limit 1`,
  )
  if (rowCount !== 0)
    throw new BackupError('the database is not empty: create an empty one, and set DATABASE_URL to it')
  await client.query(
    `create table ${UNFINISHED_RESTORE} as select ${pg.escapeLiteral(restoreId)} as id, now() as since`,
  )
}

/**
 * Completes a restore that has filled the database. Does nothing if it is complete already.
 * @throws BackupError if another restore has filled it
 */
export async function markFinished(client: pg.Client, restoreId: string): Promise<void> {
  const { rows } = await client.query<{ is_there: boolean }>(
    `select to_regclass('${UNFINISHED_RESTORE}') is not null as is_there`,
  )
  if (rows[0]?.is_there !== true) return
  const { rowCount } = await client.query(`select from ${UNFINISHED_RESTORE} where id = $1`, [restoreId])
  if (rowCount === 0)
    throw new BackupError('DATABASE_URL is not the database that the interrupted restore has filled')
  await client.query(`drop table ${UNFINISHED_RESTORE}`)
}
