import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import { ApiError, type ErrorCode, errors } from '../errors.ts'
import { newId } from '../ids.ts'
import { PubSub } from './pub-sub.ts'
import type { Valkey } from './valkey.ts'

export interface QuestionDeps {
  processId: string
  valkey: Valkey
  log: Logger
  /** Time without an answer after which a process counts as gone or too busy. */
  maxWaitMs?: number
  /** Answers questions of another process. An ApiError it throws is sent to that process. */
  answer: (question: unknown) => Promise<unknown>
}

const MAX_WAIT_MS = 5000

/** The id of a message that expects no answer. */
const NO_ONE = ''

const Letter = Type.Union([
  Type.Object({
    kind: Type.Literal('question'),
    id: Type.String(),
    from: Type.String(),
    body: Type.Unknown(),
  }),
  Type.Object({ kind: Type.Literal('answer'), id: Type.String(), body: Type.Optional(Type.Unknown()) }),
  Type.Object({
    kind: Type.Literal('refusal'),
    id: Type.String(),
    code: Type.String(),
    message: Type.String(),
  }),
])
type Letter = Static<typeof Letter>
type Question = Extract<Letter, { kind: 'question' }>

interface Asked {
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: ApiError) => void
}

/** Asks another process through Valkey, and answers others' questions. Questions and answers are JSON. */
export class Questions {
  readonly #deps: QuestionDeps
  readonly #pubSub: PubSub
  readonly #asked = new Map<string, Asked>()
  readonly #closing = new AbortController()
  readonly #up = Promise.withResolvers<void>()

  constructor(deps: QuestionDeps) {
    this.#deps = deps
    this.#pubSub = new PubSub(deps.valkey, {
      onMessage: (_channel, payload) => this.#receive(payload),
      onUp: () => this.#up.resolve(),
      onDown: () => undefined,
    })
  }

  /** Resolves when questions can be asked, or after five seconds without Valkey. */
  async start(): Promise<void> {
    const { signal } = this.#closing
    this.#pubSub.subscribe([this.#channelOf(this.#deps.processId)])
    const patience = sleep(MAX_WAIT_MS, undefined, { signal, ref: false }).catch(() => undefined)
    await Promise.race([this.#up.promise, patience])
  }

  close(): void {
    this.#closing.abort()
    this.#pubSub.close()
    for (const { reject } of this.#asked.values()) reject(new ApiError('unavailable'))
  }

  /**
   * @throws ApiError of the other process; `unavailable` immediately if that process has ended, or if there is no
   * answer in time
   */
  async ask(processId: string, body: unknown): Promise<unknown> {
    const id = newId()
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const refuse = () => reject(new ApiError('unavailable'))
    const timer = setTimeout(refuse, this.#deps.maxWaitMs ?? MAX_WAIT_MS)
    this.#asked.set(id, { resolve, reject })
    const sent = this.#send(processId, { kind: 'question', id, from: this.#deps.processId, body })
    sent.then((hearers) => hearers === 0 && refuse(), refuse)
    return promise.finally(() => {
      clearTimeout(timer)
      this.#asked.delete(id)
    })
  }

  /** Returns whether Valkey has a connection of the process. @throws Error if Valkey is away */
  async isThere(processId: string): Promise<boolean> {
    return (await this.#send(processId, { kind: 'answer', id: NO_ONE })) > 0
  }

  #receive(payload: string): void {
    const message = parse(payload)
    if (message === undefined) return this.#deps.log.error('a question of another process cannot be read')
    if (message.kind === 'question') void this.#answer(message)
    else if (message.kind === 'answer') this.#asked.get(message.id)?.resolve(message.body)
    else this.#asked.get(message.id)?.reject(refusalOf(message))
  }

  async #answer({ id, from, body }: Question): Promise<void> {
    const message = await this.#deps.answer(body).then(
      (answer): Letter => ({ kind: 'answer', id, body: answer }),
      (error: unknown): Letter => {
        if (!(error instanceof ApiError))
          this.#deps.log.error({ err: error }, 'a question could not be answered')
        const { code, message } = error instanceof ApiError ? error : new ApiError('unavailable')
        return { kind: 'refusal', id, code, message }
      },
    )
    // A failure is ignored: the asking process gives up after its time limit.
    await this.#send(from, message).catch(() => undefined)
  }

  #send(processId: string, message: Letter): Promise<number> {
    return this.#pubSub.publish(this.#channelOf(processId), JSON.stringify(message))
  }

  #channelOf(processId: string): string {
    return this.#deps.valkey.name(`q:${processId}`)
  }
}

function parse(payload: string): Letter | undefined {
  try {
    const message: unknown = JSON.parse(payload)
    return Check(Letter, message) ? message : undefined
  } catch {
    return undefined
  }
}

/** Returns the error that another process sent; `unavailable` if only newer versions know its code. */
function refusalOf({ code, message }: { code: string; message: string }): ApiError {
  return isKnown(code) ? new ApiError(code, message) : new ApiError('unavailable')
}

function isKnown(code: string): code is ErrorCode {
  return Object.hasOwn(errors, code)
}
