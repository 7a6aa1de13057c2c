import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '#src/config.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { newId } from '#src/kernel/ids.ts'
import type { LoadGuard } from '#src/kernel/limits/load-guard.ts'
import { deleteProcess, saveProcess, saveSample } from './queries.ts'
import { perMinute, readTotals, type TotalMeters, type Totals } from './totals.ts'

const MINUTE_MS = 60_000
/** Longest wait when the process ends: a database that does not answer must not delay the end. */
const FAREWELL_MS = 1000

export interface SamplerDeps {
  database: Database
  metrics: TotalMeters
  loadGuard: Pick<LoadGuard, 'takeWorstLagMs'>
  /** Returns the number of open gateway connections of this process. */
  countConnections: () => number
  config: Pick<Config, 'version' | 'services'>
  log: Pick<Logger, 'debug'>
}

/** Writes a row of figures of this process each minute, for the overview of operators. */
export class HealthSampler {
  readonly id = newId()
  readonly #deps: SamplerDeps
  readonly #startedAt = new Date()
  #last: Totals | undefined
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()

  constructor(deps: SamplerDeps) {
    this.#deps = deps
  }

  /** Announces the process. Its first sample follows in the middle of the next minute. */
  async start(): Promise<void> {
    this.#last = await readTotals(this.#deps.metrics)
    await this.#announce()
    this.#wait()
  }

  /** Current number of open gateway connections of this process. */
  get connections(): number {
    return this.#deps.countConnections()
  }

  /** Writes the figures since the last sample. */
  async sample(): Promise<void> {
    const now = await readTotals(this.#deps.metrics)
    const before = this.#last ?? now
    // Set even if saving fails, so that the next minute does not include the time without a database.
    this.#last = now
    const lagMs = this.#deps.loadGuard.takeWorstLagMs()
    const figures = { ...perMinute(before, now), lagMs, memoryBytes: process.memoryUsage.rss() }
    await saveSample(this.#deps.database, {
      ...figures,
      processId: this.id,
      connections: this.connections,
    })
    await this.#announce()
  }

  /** Removes the process from the list. A process that is killed instead stays there for two minutes. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    await this.#running
    const deleted = deleteProcess(this.#deps.database, this.id).catch(() => undefined)
    await Promise.race([deleted, delay(FAREWELL_MS, undefined, { ref: false })])
  }

  async #announce(): Promise<void> {
    const { version, services } = this.#deps.config
    await saveProcess(this.#deps.database, {
      id: this.id,
      version,
      services,
      connections: this.connections,
      startedAt: this.#startedAt,
    })
  }

  /** Schedules the next sample in the middle of a minute, so that no delay moves it into another minute. */
  #wait(): void {
    const waitMs = MINUTE_MS - ((Date.now() + MINUTE_MS / 2) % MINUTE_MS)
    this.#timer = setTimeout(() => {
      this.#running = this.sample().catch((error: unknown) => {
        // The charts show a gap, and the failure of the database is logged elsewhere.
        this.#deps.log.debug({ err: error }, 'no sample of the health could be saved')
      })
      this.#wait()
    }, waitMs).unref()
  }
}
