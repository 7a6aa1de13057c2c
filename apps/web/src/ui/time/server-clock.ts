/** Maximum clock difference that is ignored, because the server's time is already a little old when it arrives. */
const TOLERATED_MS = 5_000

let aheadMs = 0

/** Measures how far the server's clock is ahead. @param time the server's current time, in ISO 8601 */
export function adjustServerClock(time: string): void {
  const ahead = Date.parse(time) - Date.now()
  aheadMs = Math.abs(ahead) > TOLERATED_MS ? ahead : 0
}

/**
 * Current time in milliseconds since 1970, corrected to the server's clock. Use it for comparisons with server times, and for
 * times sent to the server.
 */
export function serverNow(): number {
  return Date.now() + aheadMs
}

/** Current server time in the server's format. */
export function serverTime(): string {
  return new Date(serverNow()).toISOString()
}
