/** Rows of a table that the database deletes well within a statement's time. */
const SWEEP_BATCH = 5000

/**
 * Deletes batch by batch, until one is not full. Each commits by itself: what breaks off goes on there the next time.
 * @param deleteBatch deletes at most so many, and answers with what it deleted. Rows that somebody holds it is to skip:
 *   they wait for the next time, and nobody for each other
 */
export async function sweepInBatches(
  deleteBatch: (limit: number) => Promise<readonly unknown[]>,
  batch = SWEEP_BATCH,
): Promise<void> {
  let isMore = true
  while (isMore) isMore = (await deleteBatch(batch)).length === batch
}
