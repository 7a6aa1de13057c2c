/** Rows of a table that can be deleted well within the time limit of a statement. */
const SWEEP_BATCH = 5000

/**
 * Deletes in batches until one is not full. Each commits by itself, so an interrupted sweep continues the next time.
 * @param deleteBatch deletes at most `limit` rows and returns them. It must skip locked rows, which wait for the
 * next sweep
 */
export async function sweepInBatches(
  deleteBatch: (limit: number) => Promise<readonly unknown[]>,
  batch = SWEEP_BATCH,
): Promise<void> {
  let isMore = true
  while (isMore) isMore = (await deleteBatch(batch)).length === batch
}
