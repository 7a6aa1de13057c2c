import type { Grant } from '#src/files/objects/queries.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { grantLimits } from './queries.ts'

/** Rows per statement: every user with a picture has a bucket, too many for one statement. */
const BATCH = 5000

/** Applies the operator's current settings to shares of storage granted under older ones. */
export async function renewGrants({
  database,
  config,
  ownLimits,
}: {
  database: Database
  config: { includedStorageBytes: number; uploadLimitBytes: number }
  ownLimits: Grant
}): Promise<void> {
  const { includedStorageBytes, uploadLimitBytes } = config
  // If the operator no longer includes storage, a limit of one byte refuses new files.
  const included = { maxBytes: Math.max(includedStorageBytes, 1), uploadLimitBytes }
  await renewAll(() => grantLimits(database, 'included', included, BATCH))
  await renewAll(() => grantLimits(database, 'own', ownLimits, BATCH))
}

async function renewAll(renewSome: () => Promise<number>): Promise<void> {
  while ((await renewSome()) > 0);
}
