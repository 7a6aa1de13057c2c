import type { CheckedPair } from '#src/kernel/tls/pair.ts'

const MINUTE_MS = 60_000
const MONTH_MS = 30 * 24 * 60 * MINUTE_MS
/** Pauses after the first, second, … attempt that failed. Let's Encrypt accepts five failed proofs an hour, of two each. */
const PAUSES = [1, 5, 15, 30, 60, 120, 360].map((minutes) => minutes * MINUTE_MS)

/** A certificate is renewed 30 days before its end, and one of a shorter life when a third of that is left. */
export function renewalTimeOf({ startsAt, endsAt }: Pick<CheckedPair, 'startsAt' | 'endsAt'>): number {
  return endsAt - Math.min(MONTH_MS, (endsAt - startsAt) / 3)
}

/**
 * Returns the time of the next attempt in ms.
 * @param isFresh shortens the pause after a restart: the operator may have fixed the cause
 */
export function nextAttemptAt(triedAt: number, failures: number, isFresh: boolean): number {
  const failed = isFresh ? Math.min(failures, 1) : failures
  if (failed === 0) return triedAt
  return triedAt + (PAUSES[Math.min(failed, PAUSES.length) - 1] ?? 0)
}
