import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'

const POLL_MS = 50
const MAX_WAIT_MS = 30_000

/** Polls until the condition holds. */
export async function until(
  isSo: () => Promise<boolean>,
  what: string,
  maxWaitMs = MAX_WAIT_MS,
): Promise<void> {
  const deadline = Date.now() + maxWaitMs
  while (!(await isSo())) {
    assert.ok(Date.now() < deadline, what)
    await delay(POLL_MS)
  }
}
