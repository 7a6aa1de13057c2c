const MIN_SPREAD_MS = 3000
const MAX_SPREAD_MS = 60_000
/** Milliseconds that one RESUME costs the server and PostgreSQL, with some reserve. */
const RESUME_MS = 1

/** Returns the milliseconds over which disconnected clients spread their reconnects. */
export function reconnectSpreadMs(connections: number): number {
  return Math.min(MAX_SPREAD_MS, Math.max(MIN_SPREAD_MS, connections * RESUME_MS))
}
