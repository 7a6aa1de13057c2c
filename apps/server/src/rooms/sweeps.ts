import { discardFiles } from '#src/files/objects/actions.ts'
import type { Transaction } from '#src/kernel/database/database.ts'
import { listFileIds, type SweptChannel, sweepTable, sweptTables } from './sweep-queries.ts'

/** Rows deleted per run and table. Measured on 2 cores: 5000 of each of three kinds take 70 to 90 ms. */
const SWEEP_BATCH = 5000

/** Files per run. The sweep of files then deletes each object. */
const FILES_BATCH = 500

/**
 * Deletes a batch of the rows of a deleted room or conversation.
 * @returns true if more may be left
 */
export async function sweepChannel(transaction: Transaction, channel: SweptChannel): Promise<boolean> {
  const fileIds = await listFileIds(transaction, channel, FILES_BATCH)
  await discardFiles(transaction, channel.tenantId, fileIds)
  const swept = await Promise.all(
    sweptTables.map((table) => sweepTable(transaction, table, channel, SWEEP_BATCH)),
  )
  return swept.includes(SWEEP_BATCH) || fileIds.length === FILES_BATCH
}
