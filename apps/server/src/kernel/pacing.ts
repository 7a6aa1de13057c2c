import { setTimeout as delay } from 'node:timers/promises'

/** Length of a pause, as a multiple of the time of the batch before it: batches then run a tenth of the time. */
const PAUSE = 9
/** Longest pause, so that one slow batch does not delay the queue or the stop of the server for minutes. */
const MAX_PAUSE_MS = 10_000
/** Longest run. A stopping server waits until a run ends, and the next run does the rest. */
const RUN_MS = 2000

/**
 * Runs short batches with pauses between them, so that the database has nine tenths of its time for requests.
 * @param runBatch returns true if more may be left
 * @param signal ends the run early
 * @returns true if more may be left
 */
export async function runPaced(
  runBatch: () => Promise<boolean>,
  signal: AbortSignal = new AbortController().signal,
): Promise<boolean> {
  const end = performance.now() + RUN_MS
  while (performance.now() < end && !signal.aborted) {
    const begun = performance.now()
    if (!(await runBatch())) return false
    await pause(pauseAfter(performance.now() - begun), signal)
  }
  return true
}

/** Returns the pause after a batch that took `batchMs`, in milliseconds. */
export function pauseAfter(batchMs: number): number {
  return Math.min(batchMs * PAUSE, MAX_PAUSE_MS)
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => undefined)
}
