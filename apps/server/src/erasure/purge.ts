import { giveUpBuckets } from '#src/files/objects/ledger.ts'
import { discardSome } from '#src/files/objects/tenants.ts'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { runPaced } from '#src/kernel/pacing.ts'
import { deleteReportsTo } from '#src/moderation/reports/sweeps.ts'
import { purgedTables } from './purged-tables.ts'
import {
  beginPurge,
  deleteSpaceRow,
  keepPurging,
  purgeReadStates,
  purgeTable,
  purgeVoiceStates,
} from './queries.ts'

/** Rows per transaction. */
const BATCH = 1000
/** Files per transaction. The sweep of files then deletes each object. */
const FILES_BATCH = 200

/**
 * Deletes everything of an expired deleted space in short transactions: files, then rows, then the space itself. An
 * interrupted run continues with the rest.
 * @returns true if more is left
 */
export async function purgeSpace(
  database: Database,
  spaceId: string,
  signal?: AbortSignal,
): Promise<boolean> {
  const isDue = await database.transaction((transaction) => beginPurge(transaction, spaceId))
  if (!isDue) return false
  return runPaced(() => database.transaction((transaction) => purgeSome(transaction, spaceId)), signal)
}

/** @returns true if more is left */
async function purgeSome(transaction: Transaction, spaceId: string): Promise<boolean> {
  if (!(await keepPurging(transaction, spaceId))) return false
  if ((await discardSome(transaction, spaceId, FILES_BATCH)) > 0) return true
  if ((await purgeRows(transaction, spaceId)) > 0) return true
  await purgeVoiceStates(transaction, spaceId)
  await giveUpBuckets(transaction, spaceId)
  await deleteSpaceRow(transaction, spaceId)
  return false
}

/** Deletes a batch over all tables. Returns its size: 0 only if no table has a row left. */
async function purgeRows(transaction: Transaction, spaceId: string): Promise<number> {
  let count = await deleteReportsTo(transaction, spaceId, BATCH)
  count += await purgeReadStates(transaction, spaceId, Math.max(BATCH - count, 0))
  for (const table of purgedTables) {
    if (count >= BATCH) return count
    count += await purgeTable(transaction, table, spaceId, BATCH - count)
  }
  return count
}
