import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { MAX_TRANSACTION_MS } from '../database/database.ts'
import type { Metrics } from '../metrics.ts'
import type { Queryable } from '../sql/sql.ts'
import type { Beat } from './beats.ts'
import { listCutOff } from './cut-off-queries.ts'
import type { Neighbours, Silence } from './neighbours.ts'
import type { Stream } from './stream.ts'

export interface FollowingDeps {
  processId: string
  neighbours: Neighbours
  stream: Stream
  database: Queryable
  metrics: Metrics
  log: Logger
  closing: AbortSignal
}

/** Reads the journal for events that Valkey does not deliver from some processes, while it delivers other processes' events. */
export class Following {
  readonly #deps: FollowingDeps
  #looking: Promise<void> | undefined

  constructor(deps: FollowingDeps) {
    this.#deps = deps
  }

  /** Resolves when no read is running. */
  async settled(): Promise<void> {
    await this.#looking
  }

  receive(beat: Beat): void {
    const loss = this.#deps.neighbours.receive(beat)
    if (loss !== undefined) void this.#makeUp(loss)
  }

  /**
   * Must be called twice a second while events of other processes arrive. It does not wait for slow reads.
   */
  look(): void {
    this.#handleSilent()
    this.#looking ??= this.#follow()
      .catch((error) => this.#fail(error))
      .finally(() => {
        this.#looking = undefined
      })
  }

  /** Reads the journal for processes that fell silent: their last commits may be unpublished, or still in progress. */
  #handleSilent(): void {
    const { neighbours, metrics, log } = this.#deps
    metrics.neighbours.set(neighbours.size)
    for (const loss of neighbours.takeSilent()) {
      log.warn({ process: loss.endedId }, 'another process has ended, or is stalled')
      void this.#makeUp(loss)
    }
  }

  /**
   * Reads the journal while a process is in doubt or cut off: a silent process may have lost only Valkey, and still be
   * working.
   */
  async #follow(): Promise<void> {
    const { neighbours, stream } = this.#deps
    const listed = this.#listCutOff()
    // Runs beside the other query, because the proof of freshness must not wait for two queries in a row.
    if (neighbours.isAnyInDoubt()) await stream.follow()
    const since = neighbours.receiveCutOff(await listed)
    if (since !== undefined) await stream.reread(since)
  }

  /**
   * Lists the other processes that are cut off from Valkey; undefined if the query fails. While the database is unavailable,
   * nothing is committed that could be missed.
   */
  async #listCutOff() {
    return listCutOff(this.#deps.database, this.#deps.processId).catch(() => undefined)
  }

  async #makeUp({ since, endedId }: Silence): Promise<void> {
    const { stream, closing } = this.#deps
    try {
      await stream.reread(since)
      // `#follow` reads the later commits of a silent process.
      if (endedId !== undefined) return
      await sleep(MAX_TRANSACTION_MS, undefined, { signal: closing })
      await stream.reread(since)
    } catch (error) {
      // Anything not read now is read when this process catches up.
      if (!closing.aborted) this.#fail(error)
    }
  }

  #fail(error: unknown): void {
    this.#deps.log.warn({ err: error }, 'unpublished events of another process could not be read')
    this.#deps.stream.fallBehind()
  }
}
