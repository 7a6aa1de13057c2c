import { type ChildProcess, fork } from 'node:child_process'
import { Check } from 'typebox/value'
import { compileCacheEnvironment } from '#src/kernel/compile-cache.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { SfuOptions, SfuRequestName, SfuRequests } from '../sfu/messages.ts'
import { FromSfu } from './answers.ts'

export interface SfuProcessDeps {
  onMessage: (message: FromSfu) => void
  /** Called once when the process has ended, or could not be started. @param words its last output */
  onEnd: (words: string) => void
  answerMs?: number | undefined
}

export interface OpenPorts {
  readonly udp: number
  /** Undefined if no TCP port is open. */
  readonly tcp: number | undefined
}

const MAX_START_MS = 20_000
const ANSWER_MS = 5000
const DRAIN_MS = 1000
const KEPT_WORDS = 2000

type Waiting = PromiseWithResolvers<unknown> & { timer: NodeJS.Timeout }

/**
 * One run of a process that forwards media. A process that does not answer in time is killed, because its users
 * can no longer hear anyone.
 */
export class SfuProcess {
  /** The ports, once they are open. */
  readonly ready: Promise<OpenPorts>
  readonly #child: ChildProcess
  readonly #deps: SfuProcessDeps
  readonly #opened = Promise.withResolvers<OpenPorts>()
  readonly #ended = Promise.withResolvers<void>()
  readonly #waiting = new Map<number, Waiting>()
  #requests = 0
  #isOver = false
  #words = ''

  constructor(options: SfuOptions, deps: SfuProcessDeps) {
    this.#deps = deps
    this.ready = this.#opened.promise
    // Callers that await `ready` get the error. If there are none, the rejection must not count as unhandled.
    this.ready.catch(() => undefined)
    this.#child = forkSfu(options)
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => this.#keep(text))
    this.#child.on('message', (message) => this.#receive(message))
    // `close` comes after the last output. If the process could not be started, only `error` comes.
    this.#child.once('close', () => this.#end())
    this.#child.once('error', (error) => {
      this.#keep(error.message)
      if (this.#child.pid === undefined) this.#end()
    })
    const timer = setTimeout(() => this.kill('it did not open its port in time'), MAX_START_MS)
    this.ready.then(
      () => clearTimeout(timer),
      () => clearTimeout(timer),
    )
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /**
   * Sends a request once the process is ready. Requests are sent in the order of the calls.
   * @throws ApiError with the refusal, or voice_unavailable if the process ends first
   */
  async request<Name extends SfuRequestName>(
    name: Name,
    given: SfuRequests[Name]['given'],
    timeoutMs = this.#deps.answerMs ?? ANSWER_MS,
  ): Promise<unknown> {
    await this.ready
    if (this.#isOver) throw new ApiError('voice_unavailable')
    this.#requests += 1
    const id = this.#requests
    const timer = setTimeout(() => this.kill(`it did not answer ${name} in time`), timeoutMs)
    const waiting = { ...Promise.withResolvers<unknown>(), timer }
    this.#waiting.set(id, waiting)
    // Errors are ignored: if the child has ended, `close` rejects the request.
    this.#child.send({ id, name, given }, () => undefined)
    return waiting.promise
  }

  /** Closes all connections of the process, and ends it. */
  async drain(): Promise<void> {
    const drained = this.request('drain', {}, DRAIN_MS).catch(() => undefined)
    const timer = setTimeout(() => this.kill('it did not drain in time'), DRAIN_MS)
    await drained
    clearTimeout(timer)
    this.kill()
    await this.#ended.promise
  }

  kill(because = ''): void {
    this.#keep(because)
    this.#child.kill('SIGKILL')
  }

  #receive(message: unknown): void {
    if (!Check(FromSfu, message)) return this.kill('it sent an invalid message')
    if (message.kind === 'ready') this.#opened.resolve({ udp: message.port, tcp: message.tcpPort })
    else if (message.kind === 'answer') this.#settle(message.id)?.resolve(message.answer)
    else if (message.kind === 'refusal')
      this.#settle(message.id)?.reject(new ApiError(message.code, message.message))
    else this.#deps.onMessage(message)
    if (message.kind === 'problem') this.#keep(message.message)
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id)
    clearTimeout(waiting?.timer)
    this.#waiting.delete(id)
    return waiting
  }

  #end(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#opened.reject(new ApiError('voice_unavailable'))
    for (const id of [...this.#waiting.keys()]) this.#settle(id)?.reject(new ApiError('voice_unavailable'))
    this.#ended.resolve()
    this.#deps.onEnd(this.#words.trim())
  }

  #keep(words: string): void {
    this.#words = `${this.#words}\n${words}`.slice(-KEPT_WORDS)
  }
}

function forkSfu(options: SfuOptions): ChildProcess {
  return fork(new URL('./child.ts', import.meta.url), [JSON.stringify(options)], {
    execArgv: [],
    // Contains none of the server's secrets.
    env: compileCacheEnvironment(),
    // A separate session, so that Ctrl-C in a terminal reaches the server only.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
}
