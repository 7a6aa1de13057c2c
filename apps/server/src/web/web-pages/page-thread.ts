import { Worker } from 'node:worker_threads'
import type { Logger } from 'pino'
import { MAX_TRANSACTION_MS } from '#src/kernel/database/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { Connection } from '#src/kernel/sql/pooling.ts'
import type { PageJob } from './making/jobs.ts'
import type { StoredPage } from './making/storing.ts'

export interface PageRequest {
  readonly job: PageJob
  /** Public origin of this server, like `https://chat.example.org`. */
  readonly origin: string
  /** Path and query of the request. */
  readonly url: string
}

/** The canonical address of a page that was requested at another address. */
export interface Elsewhere {
  readonly location: string
}

export interface NewPage {
  readonly page: StoredPage
  /** Ids of everything that the page shows. */
  readonly shown: readonly string[]
  /** Time at which the readable messages change without an event, in milliseconds since 1970. */
  readonly until: number
}

/** Undefined for a page that cannot be read. */
export type Made = NewPage | Elsewhere | undefined

export interface ToThread {
  readonly id: number
  readonly request: PageRequest
}

export type FromThread =
  | { readonly kind: 'made'; readonly id: number; readonly made: Made }
  | {
      readonly kind: 'failed'
      readonly id: number
      readonly message: string
      readonly stack: string
      readonly code: unknown
    }
  | { readonly kind: 'trouble'; readonly error: Error }

/** Maximum time to make a page, long enough for a busy machine. The database ends its statements earlier. */
const MAX_MS = 30_000
/** Maximum heap of the thread, in MiB. It ends when it needs more. A sitemap of 49,000 threads needs about 100. */
const HEAP_MIB = 256

interface Options {
  readonly connection: Connection
  readonly log: Pick<Logger, 'error'>
  readonly heapMib?: number
}

/** Makes pages in a worker thread, which is started for the first page. If it fails, the next page starts it again. */
export class PageThread {
  readonly #options: Options
  readonly #waiting = new Map<number, PromiseWithResolvers<Made>>()
  #thread: Worker | undefined
  #isClosed = false
  #count = 0

  constructor(options: Options) {
    this.#options = options
  }

  /** @throws ApiError 503 after half a minute, or when closed; Error with the message and code of a database error */
  async make(request: PageRequest): Promise<Made> {
    if (this.#isClosed) throw new ApiError('unavailable')
    this.#count += 1
    const id = this.#count
    const answer = Promise.withResolvers<Made>()
    this.#waiting.set(id, answer)
    const timer = setTimeout(() => this.#end(new ApiError('timeout')), MAX_MS)
    try {
      this.#thread ??= this.#start()
      this.#thread.postMessage({ id, request } satisfies ToThread)
      return await answer.promise
    } finally {
      clearTimeout(timer)
      this.#waiting.delete(id)
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#end(new ApiError('unavailable'))
  }

  #start(): Worker {
    const thread = new Worker(new URL('./making/thread.ts', import.meta.url), {
      name: 'pages',
      workerData: { ...this.#options.connection, statement_timeout: MAX_TRANSACTION_MS },
      resourceLimits: { maxOldGenerationSizeMb: this.#options.heapMib ?? HEAP_MIB },
    })
    thread.on('message', (message: FromThread) => this.#receive(message))
    const fail = (error: unknown) => {
      if (this.#thread !== thread) return
      this.#options.log.error({ err: error }, 'the thread that makes pages failed')
      void this.#end(error)
    }
    thread.on('error', fail).on('messageerror', fail)
    thread.on('exit', () => fail(new Error('the thread that makes pages has ended')))
    return thread
  }

  #receive(message: FromThread): void {
    if (message.kind === 'trouble')
      return this.#options.log.error({ err: message.error }, 'the database connection of pages failed')
    const answer = this.#waiting.get(message.id)
    if (message.kind === 'made') answer?.resolve(message.made)
    else answer?.reject(errorOf(message))
  }

  /** Ends the thread. Everything that waits for it fails. */
  async #end(error: unknown): Promise<void> {
    const thread = this.#thread
    this.#thread = undefined
    for (const answer of this.#waiting.values()) answer.reject(error)
    await thread?.terminate()
  }
}

function errorOf({ message, stack, code }: Extract<FromThread, { kind: 'failed' }>): Error {
  return Object.assign(new Error(message), { stack, code })
}
