import { type EmbeddedPostgres, launchPostgres } from '#src/postgres/launch.ts'

/**
 * PostgreSQL settings while a restore fills a database that no server uses yet. Copied rows skip the write-ahead log, and
 * a checkpoint at the end writes everything to the disk.
 */
const LOADING = {
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '4GB',
  synchronous_commit: 'off',
  autovacuum: 'off',
}

/** Creates and starts an embedded PostgreSQL in a folder, for a restore. */
export function launchForRestore(dataDir: string): Promise<EmbeddedPostgres> {
  return launchPostgres({ dataDir, log: () => undefined, settings: LOADING })
}

/** Creates and starts a temporary PostgreSQL, to verify a backup. It runs without fsync, because it is deleted afterwards. */
export function launchForTrial(dataDir: string): Promise<EmbeddedPostgres> {
  return launchPostgres({ dataDir, log: () => undefined, settings: { ...LOADING, fsync: 'off' } })
}
