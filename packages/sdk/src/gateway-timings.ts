import type { Backoff } from './delay.ts'

export interface GatewayTimings extends Backoff {
  /** How long the server may take to greet a new connection. */
  helloTimeoutMs: number
  /** How long it may take to answer `reconnectNow` on a connection that looks alive. */
  probeTimeoutMs: number
}

export const defaultTimings: GatewayTimings = {
  baseDelayMs: 500,
  maxDelayMs: 30_000,
  helloTimeoutMs: 15_000,
  probeTimeoutMs: 5_000,
}
