const MIN_SPREAD_MS = 3000
const MAX_SPREAD_MS = 60_000
/** What a RESUME costs the server that takes it, and PostgreSQL, with some room for everything else. */
const RESUME_MS = 1

/** Clients that are sent away come back spread over this time: as long as it takes to have them all back. */
export function reconnectSpreadMs(connections: number): number {
  return Math.min(MAX_SPREAD_MS, Math.max(MIN_SPREAD_MS, connections * RESUME_MS))
}
