import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { MAX_TRANSACTION_MS } from '../database.ts'
import type { Metrics } from '../metrics.ts'
import type { Queryable } from '../sql.ts'
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

/** Reads from the journal what others commit and this process does not hear through Valkey, though it hears the rest. */
export class Following {
  readonly #deps: FollowingDeps
  #looking: Promise<void> | undefined

  constructor(deps: FollowingDeps) {
    this.#deps = deps
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    await this.#looking
  }

  hear(beat: Beat): void {
    const loss = this.#deps.neighbours.hear(beat)
    if (loss !== undefined) void this.#makeUp(loss)
  }

  /** To be called twice a second, while others are heard. A look that takes longer is not waited for. */
  look(): void {
    this.#mourn()
    this.#looking ??= this.#follow()
      .catch((error) => this.#fail(error))
      .finally(() => {
        this.#looking = undefined
      })
  }

  /** What ended processes committed last may not have been published, nor be committed yet. */
  #mourn(): void {
    const { neighbours, metrics, log } = this.#deps
    metrics.neighbours.set(neighbours.size)
    for (const loss of neighbours.takeSilent()) {
      log.warn({ process: loss.endedId }, 'another process has ended, or stands still')
      void this.#makeUp(loss)
    }
  }

  /**
   * Who fell silent may be cut off from Valkey alone, go on, and be heard by nobody: for as long as that is in doubt, what it
   * commits is read from the journal.
   */
  async #follow(): Promise<void> {
    const { neighbours, stream } = this.#deps
    const listed = this.#listCutOff()
    // Not behind the answer: what proves that nothing is missed must not wait for two.
    if (neighbours.isAnyInDoubt()) await stream.follow()
    const since = neighbours.hearCutOff(await listed)
    if (since !== undefined) await stream.reread(since)
  }

  /** While the database is away nobody commits, and who is cut off from Valkey is not known for the moment. */
  async #listCutOff() {
    return listCutOff(this.#deps.database, this.#deps.processId).catch(() => undefined)
  }

  async #makeUp({ since, endedId }: Silence): Promise<void> {
    const { stream, closing } = this.#deps
    try {
      await stream.reread(since)
      // What comes later of one that fell silent is read by following it.
      if (endedId !== undefined) return
      await sleep(MAX_TRANSACTION_MS, undefined, { signal: closing })
      await stream.reread(since)
    } catch (error) {
      // Whatever this process does not read now it reads when it catches up.
      if (!closing.aborted) this.#fail(error)
    }
  }

  #fail(error: unknown): void {
    this.#deps.log.warn({ err: error }, 'what another process did not publish could not be read')
    this.#deps.stream.fallBehind()
  }
}
