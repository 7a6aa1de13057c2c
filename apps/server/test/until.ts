import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'

const POLL_MS = 50
const MAX_WAIT_MS = 30_000

/** Polls until the condition holds. */
export async function until(isSo: () => Promise<boolean>, what: string): Promise<void> {
  const deadline = Date.now() + MAX_WAIT_MS
  while (!(await isSo())) {
    assert.ok(Date.now() < deadline, what)
    await delay(POLL_MS)
  }
}
