const MAX_SECONDS = 60 * 60

/** Returns the seconds until the next attempt: 2, 4, 8 …, up to an hour. */
export function delayAfter(attempts: number): number {
  return Math.min(2 ** attempts, MAX_SECONDS)
}

/** Spreads what is due at the same time: up to a tenth sooner or later. */
export function jittered(seconds: number): number {
  return seconds * (0.9 + Math.random() * 0.2)
}
