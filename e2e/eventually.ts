import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'

const PATIENCE_MS = 30_000
const POLL_INTERVAL_MS = 30

/** Calls `read` until it returns the expected value. Fails with the difference if it does not do so in time. */
export async function eventually<T>(read: () => Promise<T> | T, expected: T): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
  let found = await read()
  while (!isDeepStrictEqual(found, expected) && Date.now() < deadline) {
    await delay(POLL_INTERVAL_MS)
    found = await read()
  }
  assert.deepEqual(found, expected)
}
