import type { Grant } from '#src/files/queries.ts'
import type { Database } from '#src/kernel/database.ts'
import { grantLimits } from './queries.ts'

/** Every user with a picture has a bucket: all of them in one statement would take longer than a statement may. */
const BATCH = 5000

/** Gives what the operator's settings say now to the storage that was granted under others. */
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
  // Into what is no longer granted, nothing more fits.
  const included = { maxBytes: Math.max(includedStorageBytes, 1), uploadLimitBytes }
  await renewAll(() => grantLimits(database, 'included', included, BATCH))
  await renewAll(() => grantLimits(database, 'own', ownLimits, BATCH))
}

async function renewAll(renewSome: () => Promise<number>): Promise<void> {
  while ((await renewSome()) > 0);
}
