import { setTimeout as sleep } from 'node:timers/promises'
import { Condition, isHopeless, levelOf } from './condition.ts'
import { removeStalePidFile } from './occupant.ts'
import { type Cluster, Postmaster } from './postmaster.ts'

/** Messages of a postmaster that cannot start because a previous one has not fully ended, which takes up to 2 s. */
const NOT_QUITE_GONE = /lock file ".*" already exists|pre-existing shared memory block/
const MAX_START_RETRIES_MS = 10_000
const START_RETRY_MS = 200

/**
 * Delays before the attempts to restart a postmaster that died. The last one repeats forever, because a full disk is
 * emptied at some point. A postmaster that lives for a minute resets the delays.
 */
export const RELAUNCH_DELAYS_MS: readonly number[] = [0, 500, 1000, 2000, 4000, 8000, 16_000]
const STEADY_AFTER_MS = 60_000

/** Keeps a postmaster running until it is stopped. */
export class Supervisor {
  readonly #cluster: Cluster
  readonly #relaunchDelaysMs: readonly number[]
  readonly #condition = new Condition()
  readonly #stopping = new AbortController()
  #current: Postmaster | undefined

  constructor(cluster: Cluster, relaunchDelaysMs: readonly number[]) {
    this.#cluster = cluster
    this.#relaunchDelaysMs = relaunchDelaysMs
  }

  get pid(): number {
    return this.#current?.pid ?? 0
  }

  /** The reason why PostgreSQL does not answer, as far as it logged one. */
  get trouble(): string | undefined {
    return this.#condition.trouble
  }

  /** Resolves when PostgreSQL accepts connections. */
  async start(): Promise<void> {
    const deadline = performance.now() + MAX_START_RETRIES_MS
    while (!this.#stopping.signal.aborted) {
      await removeStalePidFile(this.#cluster.folder)
      if (this.#stopping.signal.aborted) return
      const postmaster = new Postmaster(this.#cluster, (line) => this.#note(line))
      this.#current = postmaster
      if (await postmaster.becomesReady()) return this.#condition.noteReady()

      const lines = postmaster.lastLines()
      if (!NOT_QUITE_GONE.test(lines) || performance.now() > deadline) {
        throw new Error(`PostgreSQL cannot start in ${this.#cluster.folder}:\n${lines}`)
      }
      await sleep(START_RETRY_MS)
    }
  }

  /** Resolves with the exit code when PostgreSQL has ended for good: stopped, or too damaged to start. */
  async watch(): Promise<number | null> {
    let attempt = 0
    for (;;) {
      const startedAt = performance.now()
      const code = (await this.#current?.exited) ?? null
      if (this.#stopping.signal.aborted || isHopeless(this.#current?.lastLines() ?? '')) return code
      if (performance.now() - startedAt > STEADY_AFTER_MS) attempt = 0
      await this.#relaunch(this.#relaunchDelaysMs[attempt] ?? this.#relaunchDelaysMs.at(-1) ?? 0)
      attempt += 1
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#current?.stop()
  }

  async #relaunch(delay: number): Promise<void> {
    const { log } = this.#cluster
    this.#condition.noteEnd()
    log(`PostgreSQL process ${this.pid} ended unexpectedly: starting it again in ${delay} ms`, 'error')
    // Stopping the supervisor ends the wait.
    await sleep(delay, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
    try {
      await this.start()
      if (!this.#stopping.signal.aborted) log(`PostgreSQL is back as process ${this.pid}`, 'warn')
    } catch (error) {
      log(error instanceof Error ? error.message : String(error), 'error')
    }
  }

  #note(line: string): void {
    this.#condition.note(line)
    this.#cluster.log(`PostgreSQL: ${line}`, levelOf(line))
  }
}
