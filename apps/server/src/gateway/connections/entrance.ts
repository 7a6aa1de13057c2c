import type { ErrorCode } from '#src/kernel/errors.ts'
import type { LoadGuard } from '#src/kernel/limits/load-guard.ts'
import type { Metrics } from '#src/kernel/metrics.ts'
import type { Connection } from './connection.ts'
import type { ConnectionLimits } from './connection-limits.ts'
import type { JoinQueue } from './join-queue.ts'
import { reconnectSpreadMs } from './reconnecting.ts'

export interface EntranceDeps {
  loadGuard: Pick<LoadGuard, 'isBusy'>
  joinQueue: JoinQueue
  /** Undefined accepts every connection. */
  connectionLimits: ConnectionLimits | undefined
  metrics: Pick<Metrics, 'upgrades'>
}

interface Refusal {
  code: ErrorCode
  headers: Record<string, string>
}

/** Maximum open connections that are not ready yet. Beyond it, new clients are refused and retry later. */
const MAX_OUTSIDE = 10_000

/**
 * Decides which upgrades to accept. It accepts fewer under load, so that connected clients are not affected.
 */
export class Entrance {
  readonly #deps: EntranceDeps
  /** Open connections that are not ready yet. */
  readonly #outside = new Set<Connection>()

  constructor(deps: EntranceDeps) {
    this.#deps = deps
  }

  /** Returns why the upgrade is refused; undefined if it is accepted. */
  refuse(address: string, now: number): Refusal | undefined {
    const refusal = this.#findRefusal(address, now)
    this.#deps.metrics.upgrades.inc({ answer: refusal?.code ?? 'taken' })
    return refusal
  }

  /** Returns a Retry-After header with a random delay, so that clients refused together do not come back together. */
  retryAfter(): Record<string, string> {
    const spreadSeconds = reconnectSpreadMs(this.#outside.size) / 1000
    return { 'retry-after': `${1 + Math.floor(Math.random() * spreadSeconds)}` }
  }

  opened(connection: Connection): void {
    this.#outside.add(connection)
    this.#deps.connectionLimits?.opened(connection.address)
  }

  /** Called when the connection became ready. */
  entered(connection: Connection): void {
    if (this.#outside.delete(connection)) this.#deps.connectionLimits?.entered(connection.address)
  }

  closed(connection: Connection): void {
    this.entered(connection)
    this.#deps.connectionLimits?.closed(connection.address)
  }

  #findRefusal(address: string, now: number): Refusal | undefined {
    const { connectionLimits } = this.#deps
    if (connectionLimits === undefined) return undefined
    if (this.#isBusy(now)) return { code: 'unavailable', headers: this.retryAfter() }
    const afterSeconds = connectionLimits.refuse(address, now)
    if (afterSeconds === undefined) return undefined
    return { code: 'rate_limited', headers: { 'retry-after': `${afterSeconds}` } }
  }

  #isBusy(now: number): boolean {
    const { loadGuard, joinQueue } = this.#deps
    return loadGuard.isBusy || joinQueue.isFull(now) || this.#outside.size >= MAX_OUTSIDE
  }
}
