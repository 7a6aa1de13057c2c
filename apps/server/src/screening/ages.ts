const HOUR_MS = 3_600_000

/** @param since ISO 8601 @param now in milliseconds since 1970 */
export function isYounger(since: string, now: number, hours: number): boolean {
  return now - Date.parse(since) < hours * HOUR_MS
}
