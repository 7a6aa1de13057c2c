import type { Backoff } from './delay.ts'

export interface GatewayTimings extends Backoff {
  /** Time limit for the server's HELLO on a new connection. */
  helloTimeoutMs: number
  /** Time limit for an answer to `reconnectNow` on a connection that looks alive. */
  probeTimeoutMs: number
}

export interface GatewayOptions {
  timings?: Partial<GatewayTimings> | undefined
  /** Kinds of events that are sent only to clients that ask for them, such as `threads`. */
  capabilities?: string[] | undefined
}

export const defaultTimings: GatewayTimings = {
  baseDelayMs: 500,
  maxDelayMs: 30_000,
  helloTimeoutMs: 15_000,
  probeTimeoutMs: 5_000,
}
