import { setTimeout as sleep } from 'node:timers/promises'
import { removeStalePidFile } from './occupant.ts'
import { type Cluster, Postmaster } from './postmaster.ts'

/** What a postmaster says that cannot start because a dead one has not quite gone; it takes up to 2 s. */
const NOT_QUITE_GONE = /lock file ".*" already exists|pre-existing shared memory block/
const MAX_START_RETRIES_MS = 10_000
const START_RETRY_MS = 200

/** Waits before the attempts to bring back a postmaster that died. One that lives a minute starts the list anew. */
const RELAUNCH_DELAYS_MS = [0, 500, 1000, 2000, 4000, 8000, 16_000]
const STEADY_AFTER_MS = 60_000

/** Keeps a postmaster running until it is told to stop. */
export class Supervisor {
  readonly #cluster: Cluster
  #current: Postmaster | undefined
  #stopping = false

  constructor(cluster: Cluster) {
    this.#cluster = cluster
  }

  get pid(): number {
    return this.#current?.pid ?? 0
  }

  /** Resolves when it accepts connections. */
  async start(): Promise<void> {
    const deadline = performance.now() + MAX_START_RETRIES_MS
    while (!this.#stopping) {
      await removeStalePidFile(this.#cluster.folder)
      const postmaster = new Postmaster(this.#cluster)
      this.#current = postmaster
      if (await postmaster.becomesReady()) return

      const lines = postmaster.lastLines()
      if (!NOT_QUITE_GONE.test(lines) || performance.now() > deadline) {
        throw new Error(`PostgreSQL cannot start in ${this.#cluster.folder}:\n${lines}`)
      }
      await sleep(START_RETRY_MS)
    }
  }

  /** Resolves with the exit code when it is gone for good: stopped, or not to be brought back. */
  async watch(): Promise<number | null> {
    let attempt = 0
    for (;;) {
      const startedAt = performance.now()
      const code = (await this.#current?.exited) ?? null
      if (this.#stopping) return code
      if (performance.now() - startedAt > STEADY_AFTER_MS) attempt = 0
      const delay = RELAUNCH_DELAYS_MS[attempt++]
      if (delay === undefined) return code
      await this.#relaunch(delay)
    }
  }

  async stop(): Promise<void> {
    this.#stopping = true
    await this.#current?.stop()
  }

  async #relaunch(delay: number): Promise<void> {
    const { log } = this.#cluster
    log(`PostgreSQL process ${this.pid} ended by itself: starting it again in ${delay} ms`)
    await sleep(delay)
    try {
      await this.start()
      log(`PostgreSQL is back as process ${this.pid}`)
    } catch (error) {
      log(error instanceof Error ? error.message : String(error))
    }
  }
}
