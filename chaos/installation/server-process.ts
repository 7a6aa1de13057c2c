import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { BoundChild } from './bound-child.ts'
import type { Backend } from './front-door.ts'
import { freePort } from './ports.ts'
import { Relay } from './relay.ts'
import { Wire } from './wire.ts'

const ROOT = join(import.meta.dirname, '../..')
const MAX_START_MS = 60_000
const MAX_DRAIN_MS = 20_000
const POLL_MS = 50

/** Folder, services and log level that all processes share. */
export interface Surroundings {
  folder: string
  valkeyPort: number
  postgresSocket: () => string
  logLevel: string
}

const SECRET_KEY = 'known to this run alone, which nobody else can reach'

/** One server process. All its connections go through its own wires. */
export class ServerProcess implements Backend {
  readonly name: string
  readonly port: number
  readonly clients = new Wire()
  readonly toValkey: Relay
  readonly toPostgres: Relay
  /** Called when the process has ended unexpectedly. It is then started again, as by a service manager. */
  onUnexpectedEnd: () => void = () => undefined
  readonly #surroundings: Surroundings
  #child: BoundChild | undefined
  /** True from the first answer of the process until it is stopped. */
  #isMeantToRun = false

  private constructor(
    name: string,
    port: number,
    relays: readonly [Relay, Relay],
    surroundings: Surroundings,
  ) {
    this.name = name
    this.port = port
    this.toValkey = relays[0]
    this.toPostgres = relays[1]
    this.#surroundings = surroundings
  }

  static async open(name: string, surroundings: Surroundings): Promise<ServerProcess> {
    const relays = await Promise.all([
      Relay.open(() => ({ port: surroundings.valkeyPort, host: '127.0.0.1' })),
      Relay.open(() => ({ path: surroundings.postgresSocket() })),
    ])
    return new ServerProcess(name, await freePort(), relays, surroundings)
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  get isAlive(): boolean {
    return this.#child?.isAlive === true
  }

  get logPath(): string {
    return join(this.#surroundings.folder, `${this.name}.log`)
  }

  /** Starts the process, and waits until it answers. Repeats failed starts, as a service manager would. */
  async start(): Promise<void> {
    const deadline = performance.now() + MAX_START_MS
    this.#isMeantToRun = false
    this.#launch()
    while (!(await this.#isHealthy())) {
      if (performance.now() > deadline) throw new Error(`${this.name} does not start: see ${this.logPath}`)
      if (!this.isAlive) this.#launch()
      await sleep(POLL_MS)
    }
    this.#isMeantToRun = true
    void this.#child?.exited.then(() => this.#noteEnd())
  }

  async kill(): Promise<void> {
    this.#isMeantToRun = false
    await this.#child?.kill()
  }

  /** Drains and ends the process, as a deployment does. @returns true if it ended by itself in time */
  async drain(): Promise<boolean> {
    const child = this.#child
    this.#isMeantToRun = false
    child?.signal('SIGTERM')
    const isOver = await Promise.race([child?.exited.then(() => true), sleep(MAX_DRAIN_MS, false)])
    await this.kill()
    return isOver === true
  }

  pause(): void {
    this.#child?.signal('SIGSTOP')
  }

  proceed(): void {
    this.#child?.signal('SIGCONT')
  }

  async close(): Promise<void> {
    await this.kill()
    this.toValkey.close()
    this.toPostgres.close()
    this.clients.cut()
  }

  #noteEnd(): void {
    if (!this.#isMeantToRun || this.isAlive) return
    this.onUnexpectedEnd()
    this.start().catch(() => undefined)
  }

  #launch(): void {
    const environment = {
      PORT: String(this.port),
      HOST: '127.0.0.1',
      PUBLIC_URL: '',
      DATA_DIR: join(this.#surroundings.folder, 'data'),
      DATABASE_URL: `postgres://foyer@127.0.0.1:${this.toPostgres.port}/foyer`,
      VALKEY_URL: `redis://127.0.0.1:${this.toValkey.port}`,
      SECRET_KEY,
      RATE_LIMITS: 'off',
      LINK_PREVIEWS: 'off',
      VOICE_PORT: '0',
      LOG_LEVEL: this.#surroundings.logLevel,
    }
    this.#child = new BoundChild([join(ROOT, 'bin/server')], this.logPath, environment)
  }

  async #isHealthy(): Promise<boolean> {
    const signal = AbortSignal.timeout(2000)
    return fetch(`http://127.0.0.1:${this.port}/api/health`, { signal }).then(
      (response) => response.ok,
      () => false,
    )
  }
}
