import type { Readable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { S3Settings } from '#src/config.ts'
import type { Outgoing } from '../outgoing/outgoing.ts'
import { OutgoingError } from '../outgoing/outgoing-error.ts'
import type { OutgoingResponse } from '../outgoing/outgoing-request.ts'
import { StoreError } from './object-store.ts'
import { errorCodeIn, readDocument, storeErrorOf } from './s3-answers.ts'
import { objectUrl, signedHeaders } from './s3-signing.ts'

export interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  key: string
  headers?: Record<string, string>
  /** Starts from the beginning on each call. */
  body?: () => Promise<Readable>
  timeoutMs?: number
  /** Limit for the whole exchange, request and answer; none by default. */
  deadlineMs?: number
  /** Size limit of the answer. It must leave room for an error document. */
  maxBytes?: number
}

/** Returns the address of a key. */
export type AddressOf = (settings: S3Settings, key: string) => URL

const TIMEOUT_MS = 20_000
const RETRY_MS = 200

/** Sends signed requests that are safe to repeat. */
export class S3Client {
  readonly #settings: S3Settings
  readonly #outgoing: Outgoing
  readonly #addressOf: AddressOf

  /** @param addressOf returns the address of a key; the default is for files */
  constructor(settings: S3Settings, outgoing: Outgoing, addressOf: AddressOf = objectUrl) {
    this.#settings = settings
    this.#outgoing = outgoing
    this.#addressOf = addressOf
  }

  /**
   * Sends a request, and repeats it once if there was no usable answer: a kept-alive connection may have just closed, or
   * the store asks for a retry. It is not repeated after a timeout, because the caller has waited long enough.
   * @throws StoreError for any answer but a success
   */
  async send(request: S3Request): Promise<OutgoingResponse> {
    try {
      return await this.#sendOnce(request)
    } catch (error) {
      if (!isPassing(error)) throw error
    }
    await delay(RETRY_MS)
    return this.#sendOnce(request)
  }

  async #sendOnce(request: S3Request): Promise<OutgoingResponse> {
    const answer = await this.#exchange(request)
    if (answer.status >= 200 && answer.status < 300) return answer
    const code = errorCodeIn(await readDocument(answer.body))
    throw storeErrorOf({ status: answer.status, code }, request.method)
  }

  async #exchange(request: S3Request) {
    const { method, key, headers = {}, body, timeoutMs = TIMEOUT_MS, deadlineMs, maxBytes } = request
    const url = this.#addressOf(this.#settings, key)
    const signed = await signedHeaders(this.#settings, { method, url, headers })
    const opened = await body?.()
    const content = opened === undefined ? {} : { body: opened }
    const deadline = deadlineMs === undefined ? {} : { signal: AbortSignal.timeout(deadlineMs) }
    const bounds = { timeoutMs, ...deadline, ...(maxBytes !== undefined && { maxBytes }) }
    try {
      return await this.#outgoing.send({ method, url, headers: signed, ...bounds, ...content })
    } catch (error) {
      opened?.destroy()
      throw storeFaultOf(deadline.signal?.aborted ? new OutgoingError('timeout', url.hostname) : error)
    }
  }
}

/** Converts an OutgoingError, whose message only names the host of the address, into a StoreError. */
function storeFaultOf(error: unknown): unknown {
  if (!(error instanceof OutgoingError)) return error
  const fault = error.reason === 'blocked' ? 'refused' : 'unreachable'
  return new StoreError(fault, error.message, { cause: error })
}

function isPassing(error: unknown): boolean {
  if (!(error instanceof StoreError) || error.fault !== 'unreachable') return false
  return !(error.cause instanceof OutgoingError && error.cause.reason === 'timeout')
}
