import type { IncomingMessage, ServerOptions } from 'node:http'

export const KEEP_ALIVE_MS = 75_000
/** A connection without complete headers is closed 10 to 15 s after it was opened. */
export const HEADERS_TIMEOUT_MS = 10_000
const TIMEOUT_CHECK_MS = 5000

/**
 * Options of every HTTP server. Without them Node would answer a missing Host by itself, and treat every offered
 * protocol upgrade, such as HTTP/2, as accepted.
 */
export const connectionOptions = {
  requireHostHeader: false,
  shouldUpgradeCallback: isWebSocket,
  headersTimeout: HEADERS_TIMEOUT_MS,
  connectionsCheckingInterval: TIMEOUT_CHECK_MS,
} satisfies ServerOptions

function isWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === 'websocket'
}
