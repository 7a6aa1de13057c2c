import type { ErrorCode } from '#src/kernel/errors.ts'
import type { LoadGuard } from '#src/kernel/load-guard.ts'
import type { Metrics } from '#src/kernel/metrics.ts'
import type { Connection } from './connection.ts'
import type { ConnectionLimits } from './connection-limits.ts'
import type { JoinQueue } from './join-queue.ts'
import { reconnectSpreadMs } from './reconnecting.ts'

export interface EntranceDeps {
  loadGuard: Pick<LoadGuard, 'isBusy'>
  joinQueue: JoinQueue
  /** Undefined takes everybody. */
  connectionLimits: ConnectionLimits | undefined
  metrics: Pick<Metrics, 'upgrades'>
}

interface Refusal {
  code: ErrorCode
  headers: Record<string, string>
}

/** Connections that hear nothing yet. More than this would rather come back later than wait here. */
const MAX_OUTSIDE = 10_000

/** Decides which upgrades are taken: fewer while there is much to do, so that those who are here lose nothing by it. */
export class Entrance {
  readonly #deps: EntranceDeps
  /** Open, and not ready yet. */
  readonly #outside = new Set<Connection>()

  constructor(deps: EntranceDeps) {
    this.#deps = deps
  }

  /** Why the upgrade is refused, or undefined for one that is taken. */
  refuse(address: string, now: number): Refusal | undefined {
    const refusal = this.#findRefusal(address, now)
    this.#deps.metrics.upgrades.inc({ answer: refusal?.code ?? 'taken' })
    return refusal
  }

  /** So that those who are refused together do not come back together. */
  retryAfter(): Record<string, string> {
    const spreadSeconds = reconnectSpreadMs(this.#outside.size) / 1000
    return { 'retry-after': `${1 + Math.floor(Math.random() * spreadSeconds)}` }
  }

  opened(connection: Connection): void {
    this.#outside.add(connection)
    this.#deps.connectionLimits?.opened(connection.address)
  }

  /** The connection is ready. */
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
