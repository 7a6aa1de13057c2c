import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { ApiError } from '#src/kernel/errors.ts'
import type { SfuOptions, SfuRequestName, SfuRequests } from '../sfu/messages.ts'
import type { FromSfu } from './answers.ts'
import { type OpenPorts, SfuProcess } from './sfu-process.ts'

export interface NodeDeps {
  options: SfuOptions
  log: Pick<Logger, 'error' | 'warn' | 'info'>
  onMessage: (message: FromSfu) => void
  /** Called when the process has ended, and with it all sessions that it carried. */
  onLost: () => void
  /** Time that the process may take to answer a request. */
  answerMs?: number | undefined
}

/** A process that ends sooner than this after its start delays the next start. */
const STEADY_MS = 30_000
const FIRST_DELAY_MS = 250
const MAX_DELAY_MS = 30_000
/** Longest start delay for which a join waits. A join that would wait longer is refused at once. */
const MAX_WAIT_MS = 2500
/** Interval of health checks: a process that hangs forwards nothing, and does not report it. */
const PULSE_MS = 2000

/** Runs one SFU process on its ports. The process is started on demand, and again after it has ended. */
export class SfuNode {
  readonly #deps: NodeDeps
  #starting: Promise<SfuProcess> | undefined
  #process: SfuProcess | undefined
  /** Consecutive early ends of the process. */
  #crashes = 0
  #notBefore = 0
  #endedAt = Number.NEGATIVE_INFINITY
  #openPorts: OpenPorts | undefined
  #isDrained = false

  constructor(deps: NodeDeps) {
    this.#deps = deps
  }

  /** Id of the running process. */
  get pid(): number | undefined {
    return this.#process?.pid
  }

  get openPorts(): OpenPorts | undefined {
    return this.#openPorts
  }

  /** True if the process ended recently. Other nodes are preferred then. */
  get isShaky(): boolean {
    return performance.now() - this.#endedAt < STEADY_MS
  }

  /** Starts the process, unless it runs. A failed start is logged, and the next request tries again. */
  open(): void {
    this.#running().catch(() => undefined)
  }

  /**
   * Sends a request to the process, and starts the process if needed.
   * @throws ApiError with the errors of `SfuProcess.request`
   */
  async request<Name extends SfuRequestName>(
    name: Name,
    given: SfuRequests[Name]['given'],
  ): Promise<unknown> {
    const process = await this.#running()
    return process.request(name, given)
  }

  /**
   * Sends a request to the process if it is running. If it has ended, its sessions have ended with it.
   */
  async requestIfRunning<Name extends SfuRequestName>(
    name: Name,
    given: SfuRequests[Name]['given'],
  ): Promise<unknown> {
    const process = await this.#starting?.catch(() => undefined)
    return process?.request(name, given).catch(() => undefined)
  }

  async drain(): Promise<void> {
    this.#isDrained = true
    await this.#process?.drain()
  }

  #running(): Promise<SfuProcess> {
    return this.#starting ?? this.#launch()
  }

  /** Starts the process. A failed start is forgotten, so that the next request tries again. */
  #launch(): Promise<SfuProcess> {
    const starting = this.#start()
    this.#starting = starting
    starting.catch(() => {
      if (this.#starting === starting) this.#starting = undefined
    })
    return starting
  }

  async #start(): Promise<SfuProcess> {
    const waitMs = this.#notBefore - performance.now()
    if (waitMs > MAX_WAIT_MS || this.#isDrained) throw new ApiError('voice_unavailable')
    if (waitMs > 0) await sleep(waitMs)
    if (this.#isDrained) throw new ApiError('voice_unavailable')
    const startedAt = performance.now()
    const { options, answerMs } = this.#deps
    const process = new SfuProcess(options, {
      onMessage: (message) => this.#receive(message),
      onEnd: (words) => this.#end(words, performance.now() - startedAt),
      answerMs,
    })
    this.#process = process
    const ports = await process.ready
    this.#openPorts = ports
    this.#watch(process)
    this.#deps.log.info({ port: ports.udp, tcpPort: ports.tcp }, 'voice is open')
    return process
  }

  /** Sends a request every PULSE_MS, because `SfuProcess` kills a process that does not answer in time. */
  #watch(process: SfuProcess): void {
    const pulse = setInterval(() => {
      if (this.#process === process) process.request('stats', {}).catch(() => undefined)
      else clearInterval(pulse)
    }, PULSE_MS)
    pulse.unref()
  }

  #receive(message: FromSfu): void {
    if (message.kind !== 'problem') return this.#deps.onMessage(message)
    this.#deps.log.warn({ problem: message.message }, 'a voice process has a problem')
  }

  #end(words: string, livedMs: number): void {
    this.#starting = undefined
    this.#process = undefined
    if (this.#isDrained) return
    this.#crashes = livedMs < STEADY_MS ? this.#crashes + 1 : 1
    const delayMs = this.#crashes === 1 ? 0 : FIRST_DELAY_MS * 2 ** (this.#crashes - 2)
    this.#endedAt = performance.now()
    this.#notBefore = this.#endedAt + Math.min(delayMs, MAX_DELAY_MS)
    this.#complain(words)
    this.#openPorts = undefined
    this.#deps.onLost()
  }

  #complain(words: string): void {
    const { port } = this.#deps.options
    const what =
      this.#openPorts !== undefined
        ? 'a voice process has ended; the next one takes over'
        : `voice could not be opened at UDP port ${port}: is another program using it?`
    this.#deps.log.error({ port, words }, what)
  }
}
