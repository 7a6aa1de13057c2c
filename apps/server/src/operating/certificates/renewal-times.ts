import type { CheckedPair } from '#src/kernel/tls/pair.ts'

const MINUTE_MS = 60_000
const MONTH_MS = 30 * 24 * 60 * MINUTE_MS
/**
 * Pauses after the first, second, … failed attempt. Let's Encrypt allows five failed proofs, and one more every 12 minutes. An
 * attempt fails up to two. Source: letsencrypt.org/docs/rate-limits
 */
const PAUSES = [1, 20, 30, 60, 120, 360].map((minutes) => minutes * MINUTE_MS)

/** Longest pause after a restart. Even restarts after each failed attempt stay within Let's Encrypt's limit. */
const FRESH_PAUSE_MS = 25 * MINUTE_MS

/** Returns the time of renewal in ms: 30 days before the end, or when a third of a shorter lifetime is left. */
export function renewalTimeOf({ startsAt, endsAt }: Pick<CheckedPair, 'startsAt' | 'endsAt'>): number {
  return endsAt - Math.min(MONTH_MS, (endsAt - startsAt) / 3)
}

/**
 * Returns the time of the next attempt in ms.
 * @param isFresh shortens the pause after a restart: the operator may have fixed the cause
 */
export function nextAttemptAt(triedAt: number, failures: number, isFresh: boolean): number {
  if (failures === 0) return triedAt
  const pause = PAUSES[Math.min(failures, PAUSES.length) - 1] ?? 0
  return triedAt + (isFresh ? Math.min(pause, FRESH_PAUSE_MS) : pause)
}
