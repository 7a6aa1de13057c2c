import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { ApiError } from '#src/kernel/errors.ts'
import type { SfuOptions, SfuRequestName, SfuRequests } from '../sfu/messages.ts'
import type { FromSfu } from './answers.ts'
import { SfuProcess } from './sfu-process.ts'

export interface NodeDeps {
  options: SfuOptions
  log: Pick<Logger, 'error' | 'warn' | 'info'>
  onMessage: (message: FromSfu) => void
  /** Its process ended, and with it all that it carried. */
  onLost: () => void
  /** How long its process may take for an answer. */
  answerMs?: number | undefined
}

/** One that ends sooner after its start than that waits longer for the next. */
const STEADY_MS = 30_000
const FIRST_DELAY_MS = 250
const MAX_DELAY_MS = 30_000
/** Whoever joins waits for a start so long, and is refused where it takes longer. */
const MAX_WAIT_MS = 2500
/** A process that hangs forwards nothing, and says nothing of it. */
const PULSE_MS = 2000

/** A port and the process that has it: started by the first who needs it, and again by the next after it has ended. */
export class SfuNode {
  readonly #deps: NodeDeps
  #starting: Promise<SfuProcess> | undefined
  #process: SfuProcess | undefined
  /** Ends of processes, one soon after the other. */
  #crashes = 0
  #notBefore = 0
  #endedAt = Number.NEGATIVE_INFINITY
  #openPort: number | undefined
  #isDrained = false

  constructor(deps: NodeDeps) {
    this.#deps = deps
  }

  /** Of the process that runs. */
  get pid(): number | undefined {
    return this.#process?.pid
  }

  get openPort(): number | undefined {
    return this.#openPort
  }

  /** Whether it has ended by itself a while ago: others come first. */
  get isShaky(): boolean {
    return performance.now() - this.#endedAt < STEADY_MS
  }

  /** Asks its process, which it starts where none runs. @throws ApiError as `SfuProcess.request` does */
  async request<Name extends SfuRequestName>(
    name: Name,
    given: SfuRequests[Name]['given'],
  ): Promise<unknown> {
    const process = await (this.#starting ?? this.#launch())
    return process.request(name, given)
  }

  /** Asks the process that runs, if one does. It has forgotten whatever is asked to be ended when it ends. */
  async tell<Name extends SfuRequestName>(name: Name, given: SfuRequests[Name]['given']): Promise<unknown> {
    const process = await this.#starting?.catch(() => undefined)
    return process?.request(name, given).catch(() => undefined)
  }

  async drain(): Promise<void> {
    this.#isDrained = true
    await this.#process?.drain()
  }

  /** One that fails is forgotten: whoever comes later tries anew. */
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
      onMessage: (message) => this.#hear(message),
      onEnd: (words) => this.#end(words, performance.now() - startedAt),
      answerMs,
    })
    this.#process = process
    const port = await process.ready
    this.#openPort = port
    this.#watch(process)
    this.#deps.log.info({ port }, 'voice is open')
    return process
  }

  /** A request that is not answered in time ends it. */
  #watch(process: SfuProcess): void {
    const pulse = setInterval(() => {
      if (this.#process === process) process.request('stats', {}).catch(() => undefined)
      else clearInterval(pulse)
    }, PULSE_MS)
    pulse.unref()
  }

  #hear(message: FromSfu): void {
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
    this.#openPort = undefined
    this.#deps.onLost()
  }

  #complain(words: string): void {
    const { port } = this.#deps.options
    const what =
      this.#openPort !== undefined
        ? 'a voice process has ended; the next one takes over'
        : `voice could not be opened at UDP port ${port}: is another program using it?`
    this.#deps.log.error({ port, words }, what)
  }
}
