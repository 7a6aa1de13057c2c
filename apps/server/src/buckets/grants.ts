import type { OwnLimits } from '#src/files/queries.ts'
import type { Database } from '#src/kernel/database.ts'
import { grantIncluded, grantOwn } from './queries.ts'

/** Gives what the operator's settings say now to the storage that was granted under others. */
export async function renewGrants({
  database,
  config,
  ownLimits,
}: {
  database: Database
  config: { includedStorageBytes: number; uploadLimitBytes: number }
  ownLimits: OwnLimits
}): Promise<void> {
  const { includedStorageBytes: includedBytes, uploadLimitBytes } = config
  await grantIncluded(database, { includedBytes, uploadLimitBytes })
  await grantOwn(database, ownLimits)
}
