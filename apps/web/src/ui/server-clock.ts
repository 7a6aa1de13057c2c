/** So far apart two clocks may be, and both be right: what is told takes its time. */
const TOLERATED_MS = 5_000

let aheadMs = 0

/** @param time what the server's clock shows now, in ISO 8601 */
export function heedServerTime(time: string): void {
  const ahead = Date.parse(time) - Date.now()
  aheadMs = Math.abs(ahead) > TOLERATED_MS ? ahead : 0
}

/**
 * The time in milliseconds since 1970, by the server's clock where this one is wrong: for what is compared with the server's
 * times, and for times that it will act by.
 */
export function serverNow(): number {
  return Date.now() + aheadMs
}

/** The same as the server writes it. */
export function serverTime(): string {
  return new Date(serverNow()).toISOString()
}
