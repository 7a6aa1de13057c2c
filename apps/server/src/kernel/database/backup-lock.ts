import { fragment } from '../sql/sql.ts'

/** Advisory lock that a backup holds while it runs: "foyb" as ASCII. */
export const BACKUP_LOCK = 0x666f7962

/**
 * True while no backup of this database runs. A backup takes the lock before its snapshot, so a statement that finds no
 * lock sees only deletions from before the snapshot.
 */
export const noBackupRuns = fragment`not exists (
  select from pg_locks
  where locktype = 'advisory' and classid = 0 and objid = 1718581602
    and database = (select oid from pg_database where datname = current_database()))`
