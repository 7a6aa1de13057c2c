import { AUDIT_REASON_HEADER } from '@foyer/protocol/audit-reason'
import type { LoginAnswer } from '@foyer/protocol/auth'
import type { ErrorBody } from '@foyer/protocol/errors'
import { SESSION_HEADER, TOKEN_STORAGE_HEADER } from '@foyer/protocol/token-names'
import { type Backoff, backoffMs, delay } from './delay.ts'
import { type RateLimit, type RateLimitWait, rateLimitOf } from './rate-limit.ts'

/** Login tokens. Refresh and session tokens are absent if the server keeps them in cookies. */
export type Tokens = Pick<
  LoginAnswer,
  'access_token' | 'refresh_token' | 'session_token' | 'expires_at' | 'session_expires_at'
>

/** The credential for a request or a gateway connection. */
export interface Credential {
  scheme: 'Bearer' | 'Bot'
  token: string
  sessionToken?: string | undefined
}

export interface Credentials {
  /** Returns the credential to send, or null for none. Rejects if an expired one could not be renewed. */
  current(): Promise<Credential | null>
  /** Called after a 401. Resolves to true if a retry with `current()` can succeed. Rejects if that is unknown. */
  mend(refused: Credential | null): Promise<boolean>
}

export interface RetryPolicy extends Backoff {
  /** Maximum number of attempts for one request. */
  maxAttempts: number
  /** Maximum total time that one request waits between its attempts. */
  maxWaitMs: number
  /** Maximum time of an attempt; with a file `uploadTimeoutMs`, or 1 s for each 50 kB of a Blob if that is longer. */
  timeoutMs: number
  uploadTimeoutMs: number
}

/** Waits up to 70 s in total, which outlasts one window of the per-minute limits. */
const defaultPolicy: RetryPolicy = {
  maxAttempts: 6,
  maxWaitMs: 70_000,
  timeoutMs: 30_000,
  uploadTimeoutMs: 300_000,
  baseDelayMs: 300,
  maxDelayMs: 8_000,
}

/** The last argument of every method. */
export interface CallOptions {
  /** Cancels the request, including its waits and retries. */
  signal?: AbortSignal
  /** Called with the limit after each answer. Callers that set it must respect the limit: a 429 is not retried. */
  onRateLimit?: (limit: RateLimit) => void
  /** Reason for the change, kept in its entry of the space's audit log. */
  reason?: string
}

export interface RestOptions {
  retry?: Partial<RetryPolicy> | undefined
  /** Called before each wait for a Retry-After. */
  onRateLimitWait?: ((wait: RateLimitWait) => void) | undefined
}

type QueryValue = string | number | boolean

export interface RestRequest extends CallOptions {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  /** Query parameters. A list becomes a repeated parameter. */
  query?: Record<string, QueryValue | readonly QueryValue[] | undefined>
  /** Body, sent as JSON; a FormData as multipart/form-data, and a Blob unchanged. */
  body?: unknown
  /** True if the request or its answer contains a file, and may therefore take long. */
  isLong?: boolean
  /** Sent without a credential. */
  anonymous?: boolean
  /** Asks the server to keep new tokens in cookies. */
  cookies?: boolean | undefined
  /**
   * True if repeating is harmless when it is unknown whether the first request arrived. Default: GET, PUT and
   * DELETE.
   */
  idempotent?: boolean
}

/** An answer with an error status. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** The error code of `X-Error-Code`, which never changes. */
  readonly code: string | null
  readonly requestId: string | null
  /** From `Retry-After`; null when the server names no time. */
  readonly retryAfterMs: number | null
  /** From `X-Unknown-Attachments`: ids that are no longer uploads. Empty if the header is missing. */
  readonly unknownAttachments: readonly string[]
  readonly existingThreadId: string | null

  constructor(status: number, message: string, headers: Headers) {
    super(message)
    this.status = status
    this.code = headers.get('x-error-code')
    this.requestId = headers.get('x-request-id')
    this.retryAfterMs = readRetryAfter(headers.get('retry-after'))
    this.existingThreadId = headers.get('x-thread-id')
    this.unknownAttachments = headers.get('x-unknown-attachments')?.split(',') ?? []
  }
}

/** No usable answer: the client is offline, the connection was refused, cut off or timed out, or another server answered. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'
}

/** Inserts encoded ids into a path. */
export function path(strings: TemplateStringsArray, ...values: string[]): string {
  return String.raw({ raw: strings }, ...values.map((value) => encodeURIComponent(value)))
}

export class Rest {
  readonly #baseUrl: string
  readonly #credentials: Credentials
  readonly #policy: RetryPolicy
  readonly #onWait: RestOptions['onRateLimitWait']

  constructor(baseUrl: string, credentials: Credentials, { retry, onRateLimitWait }: RestOptions = {}) {
    this.#baseUrl = baseUrl.replace(/(?<!\/)\/+$/, '')
    this.#credentials = credentials
    this.#policy = { ...defaultPolicy, ...retry }
    this.#onWait = onRateLimitWait
  }

  /**
   * Sends a request and retries it if that is safe: once after a 401, with refreshed tokens; after a 408; after a 429 and its
   * Retry-After; and, if it is idempotent, after a network failure or a 5xx.
   * @throws {ApiError} with the server's last answer
   * @throws {NetworkError} if there is no answer
   */
  async request<T>(request: RestRequest): Promise<T> {
    return parse<T>(await this.text(request))
  }

  /** Sends a request like `request`, for an answer that is not JSON. */
  text(request: RestRequest): Promise<string> {
    return this.#attempt(request, new Retries(this.#policy, request, this.#onWait))
  }

  async #attempt(request: RestRequest, retries: Retries): Promise<string> {
    const credential = request.anonymous ? null : await this.#credentials.current()
    try {
      return await this.#send(request, credential)
    } catch (error) {
      if (retries.wasDoneBefore(error)) return ''
      const mended = retries.mayMend(error) && (await this.#credentials.mend(credential))
      if (!mended) await retries.pause(error)
    }
    return this.#attempt(request, retries)
  }

  async #send(request: RestRequest, credential: Credential | null): Promise<string> {
    const { response, text } = await this.#exchange(request, credential)
    const limit = request.onRateLimit && rateLimitOf(response.headers)
    if (limit !== undefined) request.onRateLimit?.(limit)
    if (response.ok) return text
    throw new ApiError(response.status, readMessage(text) ?? response.statusText, response.headers)
  }

  async #exchange(request: RestRequest, credential: Credential | null) {
    const { timeoutMs, uploadTimeoutMs } = this.#policy
    const isLong = request.isLong || isRaw(request.body)
    const blobMs = request.body instanceof Blob ? Math.ceil(request.body.size / 50) : 0
    const timeout = AbortSignal.timeout(isLong ? Math.max(uploadTimeoutMs, blobMs) : timeoutMs)
    try {
      const response = await fetch(this.#baseUrl + request.path + formatQuery(request.query), {
        method: request.method,
        headers: formatHeaders(request, credential),
        body: formatBody(request.body),
        signal: request.signal ? AbortSignal.any([request.signal, timeout]) : timeout,
      })
      return { response, text: await response.text() }
    } catch (error) {
      request.signal?.throwIfAborted()
      throw new NetworkError('the server could not be reached', { cause: error })
    }
  }
}

/** The attempts of one request so far, and whether another one is allowed. */
class Retries {
  readonly #policy: RetryPolicy
  readonly #request: RestRequest
  readonly #onWait: RestOptions['onRateLimitWait']
  #attempts = 1
  #waitedMs = 0
  #mended = false
  #lostAnswer = false

  constructor(policy: RetryPolicy, request: RestRequest, onWait: RestOptions['onRateLimitWait']) {
    this.#policy = policy
    this.#request = request
    this.#onWait = onWait
  }

  /** Returns true for a 404 to a repeated DELETE whose first answer was lost: it had already deleted the object. */
  wasDoneBefore(error: unknown): boolean {
    if (this.#request.method !== 'DELETE' || !this.#lostAnswer) return false
    return error instanceof ApiError && error.status === 404
  }

  mayMend(error: unknown): boolean {
    if (this.#mended || !(error instanceof ApiError) || error.status !== 401) return false
    this.#mended = true
    return true
  }

  /** Waits for the next attempt; throws the error if there is none. */
  async pause(error: unknown): Promise<void> {
    const waitMs = this.#waitMs(error)
    if (waitMs === null || this.#attempts >= this.#policy.maxAttempts) throw error
    if (this.#waitedMs + waitMs > this.#policy.maxWaitMs) throw error
    if (error instanceof NetworkError) this.#lostAnswer = true
    this.#attempts += 1
    this.#waitedMs += waitMs
    const { method, path } = this.#request
    if (isTooOften(error)) this.#onWait?.({ method, path, waitMs })
    await delay(waitMs, this.#request.signal)
  }

  #waitMs(error: unknown): number | null {
    // A rate-limited request was not executed, so even a non-idempotent one is safe to repeat.
    if (isTooOften(error)) return this.#request.onRateLimit === undefined ? error.retryAfterMs : null
    const backoff = backoffMs(this.#attempts - 1, this.#policy)
    // A 408 means that the request arrived too late to be executed.
    if (error instanceof ApiError && error.status === 408) return backoff
    const isRepeatable = this.#request.idempotent ?? ['GET', 'PUT', 'DELETE'].includes(this.#request.method)
    if (!isRepeatable) return null
    if (error instanceof NetworkError) return backoff
    // Adds a random backoff to the server's Retry-After, so that clients with the same value do not return together.
    if (error instanceof ApiError && error.status >= 500) return (error.retryAfterMs ?? 0) + backoff
    return null
  }
}

function isTooOften(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 429
}

function formatQuery(query: RestRequest['query'] = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value ?? []].flat().map((each) => [name, String(each)]),
  )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}

/** Returns whether fetch sets the content type of the body by itself. */
function isRaw(body: unknown): body is FormData | Blob {
  return body instanceof FormData || body instanceof Blob
}

function formatBody(body: unknown): string | FormData | Blob | null {
  if (isRaw(body)) return body
  return body === undefined ? null : JSON.stringify(body)
}

function formatHeaders(request: RestRequest, credential: Credential | null): Record<string, string> {
  const headers: Record<string, string> = { accept: 'application/json' }
  const isJson = request.body !== undefined && !isRaw(request.body)
  if (isJson) headers['content-type'] = 'application/json'
  if (request.cookies) headers[TOKEN_STORAGE_HEADER] = 'cookie'
  if (request.reason !== undefined) headers[AUDIT_REASON_HEADER] = encodeURIComponent(request.reason)
  if (credential === null) return headers
  headers.authorization = `${credential.scheme} ${credential.token}`
  if (credential.sessionToken !== undefined) headers[SESSION_HEADER] = credential.sessionToken
  return headers
}

/** The only cast of JSON to its type: the server serializes by the same schemas. */
function parse<T>(text: string): T {
  try {
    const value = text === '' ? undefined : JSON.parse(text)
    return value
  } catch (error) {
    throw new NetworkError('the answer is not JSON', { cause: error })
  }
}

function readMessage(text: string): string | undefined {
  try {
    return parse<Partial<ErrorBody> | undefined>(text)?.error
  } catch {
    return undefined
  }
}

/** Reads a Retry-After in seconds or as a date (RFC 9110). Returns milliseconds. */
function readRetryAfter(value: string | null): number | null {
  if (value === null) return null
  const ms = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now()
  return Number.isNaN(ms) ? null : Math.max(0, ms)
}
