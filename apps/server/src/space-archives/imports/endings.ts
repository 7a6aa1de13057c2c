import { closeBuckets } from '#src/files/objects/ledger.ts'
import { discardTenant } from '#src/files/objects/tenants.ts'
import type { Transaction } from '#src/kernel/database/database.ts'
import { giveUpUnfinished } from '../building/queries.ts'
import { type TakenImport, takeExpired, takeImport, takeImportsBy } from './queries.ts'

/**
 * Deletes an import whose upload failed.
 * @returns false if the import was already gone, because a newer upload replaced it
 */
export async function endUpload(transaction: Transaction, id: string): Promise<boolean> {
  const isThere = await takeImport(transaction, id)
  await discardTenant(transaction, id)
  return isThere
}

/**
 * Deletes expired imports, and the unfinished spaces that are being built from them.
 * @returns the ids of the deleted imports; fewer than `limit` if no more can be taken now
 */
export async function endExpiredImports(transaction: Transaction, limit: number): Promise<string[]> {
  const taken = await takeExpired(transaction, limit)
  await discardAll(transaction, taken)
  return taken.map(({ id }) => id)
}

/** Deletes a person's imports and the spaces being built from them, because no one is left to own them. */
export async function endImportsBy(transaction: Transaction, userId: string): Promise<void> {
  await discardAll(transaction, await takeImportsBy(transaction, userId))
}

/** Gives up an unfinished space, which is then purged. Does nothing to a finished one. */
export async function giveUpSpace(transaction: Transaction, spaceId: string | null): Promise<void> {
  if (spaceId !== null && (await giveUpUnfinished(transaction, spaceId)))
    await closeBuckets(transaction, spaceId)
}

/** Deletes in the order of the ids, so that two such transactions never deadlock. */
async function discardAll(transaction: Transaction, taken: readonly TakenImport[]): Promise<void> {
  for (const { id, built_id } of taken.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    await giveUpSpace(transaction, built_id)
    await discardTenant(transaction, id)
  }
}
