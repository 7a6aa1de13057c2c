const MAX_SECONDS = 60 * 60

/** Returns the seconds until the next attempt: 2, 4, 8 …, up to an hour. */
export function delayAfter(attempts: number): number {
  return Math.min(2 ** attempts, MAX_SECONDS)
}

/** Adds jitter of up to a tenth, sooner or later, so that attempts due at the same time spread. */
export function jittered(seconds: number): number {
  return seconds * (0.9 + Math.random() * 0.2)
}
