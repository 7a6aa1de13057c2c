import type { Place } from '#src/channels/place.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import {
  type Lag,
  listUnindexed,
  moveMarks,
  type TakenLag,
  takeMarks,
  type UnindexedRow,
  upsertWords,
} from './index-queries.ts'

/**
 * Messages per batch, and per channel in it. Measured on 2 cores: 400 take 15 to 25 ms, the longest that an edit waits.
 */
const MAX_BATCH = 400

/**
 * Indexes the oldest unindexed messages of the channels, up to a batch, and moves the marks. All messages up to `last_seq`
 * are visible, because numbers are assigned under the lock of the channel's head.
 * @returns the channels indexed up to the `last_seq` that they had at the beginning, and the deleted channels
 */
export async function indexBatch(transaction: Queryable, places: readonly Place[]): Promise<Place[]> {
  const lags = await takeMarks(transaction, places)
  const batch = chooseBatch(lags)
  const rows = await listUnindexed(transaction, batch, MAX_BATCH)
  await upsertWords(
    transaction,
    rows.filter((row) => !row.is_notice),
  )
  const rowsOf = Map.groupBy(rows, (row) => row.channel_id)
  const marks = batch.map((lag) => ({ ...lag, seq: reached(lag, rowsOf.get(lag.channelId) ?? []) }))
  await moveMarks(transaction, marks)
  const reachedEnd = new Set(marks.filter(({ seq, lastSeq }) => seq >= lastSeq).map(keyOf))
  const left = new Set(lags.map(keyOf).filter((key) => !reachedEnd.has(key)))
  return places.filter((place) => !left.has(keyOf(place)))
}

export function keyOf({ tenantId, channelId }: Place): string {
  return `${tenantId} ${channelId}`
}

/** Chooses channels until their unindexed messages fill a batch. The last channel may exceed it. */
function chooseBatch(lags: readonly TakenLag[]): Lag[] {
  const batch: Lag[] = []
  let room = MAX_BATCH
  for (const lag of lags) {
    if (!lag.isTaken || room <= 0) continue
    batch.push(lag)
    room -= Math.min(lag.lastSeq - lag.indexedSeq, MAX_BATCH)
  }
  return batch
}

/** Returns the new mark. With fewer rows than requested, it is `lastSeq`: the other messages up to there were deleted. */
function reached({ lastSeq }: Lag, rows: readonly UnindexedRow[]): number {
  return rows.length < MAX_BATCH ? lastSeq : (rows.at(-1)?.seq ?? lastSeq)
}
