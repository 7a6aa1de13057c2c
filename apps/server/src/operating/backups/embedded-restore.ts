import { type EmbeddedPostgres, launchPostgres } from '#src/postgres/launch.ts'

/**
 * Settings of a cluster that is not used until it is complete. Copied rows skip the write-ahead log, and a checkpoint
 * writes everything to the disk.
 */
const LOADING = {
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '4GB',
  synchronous_commit: 'off',
  autovacuum: 'off',
}

/** Starts an embedded PostgreSQL that is made in a folder for a restore. */
export function launchForRestore(dataDir: string): Promise<EmbeddedPostgres> {
  return launchPostgres({ dataDir, log: () => undefined, settings: LOADING })
}

/** Starts a temporary PostgreSQL, which is deleted afterwards. */
export function launchForTrial(dataDir: string): Promise<EmbeddedPostgres> {
  return launchPostgres({ dataDir, log: () => undefined, settings: { ...LOADING, fsync: 'off' } })
}
