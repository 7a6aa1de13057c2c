import type { ServerOverview } from '@foyer/protocol/server-health'
import type { Config } from '#src/config.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { findSnapshot } from '#src/operating/updates/snapshot.ts'
import type { HealthSampler } from '../health/sampler.ts'
import {
  countInVoice,
  countServer,
  findActive,
  findLastMigration,
  listProcesses,
  sumStorage,
} from './queries.ts'

export interface OverviewDeps {
  database: Database
  healthSampler: Pick<HealthSampler, 'id' | 'connections'>
  config: Pick<Config, 'version' | 'updateSnapshotDays'>
}

/** Reads indexes and statistics only, so that its cost does not grow with the server: see each query. */
export async function readOverview({
  database,
  config,
  healthSampler,
}: OverviewDeps): Promise<ServerOverview> {
  const [counts, active, storage, inVoice, processes, migration, snapshot] = await Promise.all([
    countServer(database),
    findActive(database),
    sumStorage(database),
    countInVoice(database),
    listProcesses(database),
    findLastMigration(database),
    findSnapshot(database, config.updateSnapshotDays),
  ])
  // Uses this process's current number of connections, not its stored one.
  const live = processes.map((one) =>
    one.id === healthSampler.id ? { ...one, connections: healthSampler.connections } : one,
  )
  return {
    ...counts,
    ...active,
    version: config.version,
    last_migration: migration,
    storage_bytes: storage,
    in_voice: inVoice,
    connections: live.reduce((sum, { connections }) => sum + connections, 0),
    processes: live,
    snapshot,
  }
}
