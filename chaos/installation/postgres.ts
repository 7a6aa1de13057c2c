import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type EmbeddedPostgres, launchPostgres } from '../../apps/server/src/postgres/launch.ts'

const MAX_RETURN_MS = 60_000
const POLL_MS = 20

/**
 * A commit survives when PostgreSQL is killed, even without fsync, which only protects from power cuts. Runs only kill
 * processes, so fsync would only slow down the machine.
 */
const SETTINGS = { fsync: 'off', synchronous_commit: 'on', max_connections: '300' }

/** The PostgreSQL of a run. */
export class Postgres {
  readonly #dataDir: string
  readonly #log: (line: string) => void
  #running: EmbeddedPostgres | undefined

  constructor(dataDir: string, log: (line: string) => void) {
    this.#dataDir = dataDir
    this.#log = log
  }

  /** Path of PostgreSQL's socket, which changes with each start. */
  get socket(): string {
    const { host = '', port = 0 } = this.#running?.connection ?? {}
    return `${host}/.s.PGSQL.${port}`
  }

  get connection(): pg.ClientConfig {
    return { ...this.#running?.connection }
  }

  async start(): Promise<void> {
    this.#running = await launchPostgres({ dataDir: this.#dataDir, log: this.#log, settings: SETTINGS })
  }

  /** Restarts cleanly: sessions end, running statements are cancelled, all data is written to disk. */
  async restart(): Promise<void> {
    await this.stop()
    await this.start()
  }

  /**
   * Kills the main process. Its supervisor starts it again.
   * @param signal SIGKILL as a power cut would, SIGQUIT as `pg_ctl stop -m immediate` does
   */
  async crash(signal: 'SIGKILL' | 'SIGQUIT'): Promise<void> {
    const before = this.#running?.pid ?? 0
    process.kill(before, signal)
    const deadline = performance.now() + MAX_RETURN_MS
    while (this.#running?.pid === before || !(await this.#answers())) {
      if (performance.now() > deadline) throw new Error('PostgreSQL did not come back')
      await sleep(POLL_MS)
    }
  }

  async stop(): Promise<void> {
    await this.#running?.stop()
    this.#running = undefined
  }

  async #answers(): Promise<boolean> {
    const client = new pg.Client(this.connection)
    client.on('error', () => undefined)
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    )
  }
}
