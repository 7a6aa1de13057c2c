import type pg from 'pg'
import type { Config } from '#src/config.ts'
import { BACKUP_LOCK } from '#src/kernel/database/backup-lock.ts'
import { MIGRATION_LOCK } from '#src/kernel/database/migrate.ts'
import { BackupError } from './backup-error.ts'
import type { Earlier } from './earlier.ts'
import { type Manifest, partsOf } from './manifest.ts'
import { idInName } from './repository.ts'
import { openKey, readSecret } from './repository-key.ts'
import type { Vault } from './table-parts.ts'

/** Locks out other backups, which would delete each other's parts. While the lock is held, no file is deleted. */
export async function takeBackupLock(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ is_ours: boolean }>('select pg_try_advisory_lock($1) as is_ours', [
    BACKUP_LOCK,
  ])
  if (rows[0]?.is_ours !== true) throw new BackupError('another backup of this server is running')
}

/**
 * Blocks migrations until the connection is closed: rewritten tables would be missing from the snapshot. A server that
 * starts now waits until the database is copied.
 */
export async function holdMigrations(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ is_ours: boolean }>(
    'select pg_try_advisory_lock_shared($1) as is_ours',
    [MIGRATION_LOCK],
  )
  if (rows[0]?.is_ours !== true)
    throw new BackupError('a server migrates the database now: make the backup again when it has started')
}

/**
 * Returns the id of the newest restore of the database; null if there is none, or its version has no table of restores.
 */
export async function installationOf(client: pg.Client): Promise<string | null> {
  const { rows: tables } = await client.query(`select where to_regclass('restores') is not null`)
  if (tables.length === 0) return null
  // Excludes rollbacks, which do not change the installation. Earlier versions lack `is_rollback`.
  const { rows } = await client.query<{ id: string; is_rollback?: boolean }>(
    'select * from restores order by restored_at desc, id',
  )
  return rows.find((row) => row.is_rollback !== true)?.id ?? null
}

/**
 * Refuses a repository that another installation writes to. A copy that was restored as a test, and still has the settings of
 * the original, would delete the original's backups.
 */
export function refuseForeign({ repository }: Vault, { newest }: Earlier, installation: string | null): void {
  if (newest?.installation === undefined || newest.installation === installation) return
  throw new BackupError(
    `the newest backup in ${repository.location} is of another installation: run npm run backup once if this one takes ` +
      'its place, and unset BACKUP_TO if it is a copy',
  )
}

/** State of a backup that only lacks its manifest. */
interface Finishing {
  vault: Vault
  manifest: Manifest
  client: pg.Client
  settings: Config['backup']
}

/**
 * Checks that no other backup interfered with this one while it ran.
 * @throws BackupError if its lock was lost, the key was replaced, or its parts were deleted
 */
export async function checkStillOurs({ vault, manifest, client, settings }: Finishing): Promise<void> {
  const { repository, key } = vault
  if (!(await holdsLock(client)))
    throw new BackupError('the connection to the database was lost during the backup')
  if (!(await openKey(repository, await readSecret(settings))).equals(key))
    throw new BackupError(`another first backup has begun in ${repository.location}: make this one again`)
  const stored = new Set((await repository.list('parts')).map(({ name }) => idInName(name)))
  if (partsOf(manifest).every((id) => stored.has(id))) return
  throw new BackupError(
    `parts of this backup were deleted from ${repository.location} while it ran: does another server use it?`,
  )
}

/** Queries the lock itself, because a proxy may have replaced the connection to the database. */
async function holdsLock(client: pg.Client): Promise<boolean> {
  const asked = client.query(
    `select from pg_locks where locktype = 'advisory' and classid = 0 and objid = $1 and pid = pg_backend_pid()`,
    [BACKUP_LOCK],
  )
  return asked.then(
    ({ rowCount }) => rowCount === 1,
    () => false,
  )
}
