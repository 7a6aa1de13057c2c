import type { LoginAnswer } from '@foyer/protocol/auth'
import { ApiError, type Credential, type Credentials, type Tokens } from './rest.ts'

/** A bot's token, which does not expire and cannot be renewed. */
export class BotCredentials implements Credentials {
  readonly #token: string

  constructor(token: string) {
    this.#token = token
  }

  async current(): Promise<Credential> {
    return { scheme: 'Bot', token: this.#token }
  }

  async mend(): Promise<boolean> {
    return false
  }
}

export interface SessionOptions {
  tokens?: Tokens
  /** Receives new tokens, and null when the session has ended. */
  onTokens?: (tokens: Tokens | null) => void
  /** Loads the tokens that the browser's tabs share; null if another tab signed out. */
  loadTokens?: () => Tokens | null
  /** Runs the work in one tab at a time, so that a refresh token is not used twice. */
  refreshLock?: <T>(work: () => Promise<T>) => Promise<T>
  /** Time before expiry at which an access token is renewed. */
  refreshMarginMs?: number
  /**
   * Keeps the refresh and session tokens in cookies that scripts cannot read. Only for pages served by the server
   * itself. The first request moves such tokens out of `tokens`.
   */
  cookies?: boolean | undefined
}

const REFRESH_MARGIN_MS = 60_000
/** Delay after a failed early renewal, so that not every request tries again. */
const NEXT_EARLY_REFRESH_MS = 5_000

/** A person's tokens, renewed when needed. Only one refresh runs at a time. */
export class SessionCredentials implements Credentials {
  readonly cookies: boolean | undefined
  readonly #options: SessionOptions
  readonly #exchange: (tokens: Tokens) => Promise<LoginAnswer>
  readonly #marginMs: number
  #tokens: Tokens | null
  #renewAt: number
  #refreshing: Promise<Tokens> | null = null

  /** @param exchange exchanges a refresh token for new tokens */
  constructor(options: SessionOptions, exchange: (tokens: Tokens) => Promise<LoginAnswer>) {
    this.#options = options
    this.cookies = options.cookies
    this.#exchange = exchange
    this.#marginMs = options.refreshMarginMs ?? REFRESH_MARGIN_MS
    this.#tokens = options.tokens ?? null
    this.#renewAt = this.#tokens === null ? Number.POSITIVE_INFINITY : this.#earlyExpiry(this.#tokens)
    if (this.cookies && this.#tokens?.refresh_token) this.#renewAt = 0
  }

  async current(): Promise<Credential | null> {
    if (this.#tokens !== null && Date.now() >= this.#renewAt) await this.#refreshEarly(this.#tokens)
    if (this.#tokens === null) return null
    const { access_token: token, session_token: sessionToken } = this.#tokens
    return { scheme: 'Bearer', token, sessionToken }
  }

  async mend(refused: Credential | null): Promise<boolean> {
    if (refused === null || this.#tokens === null) return false
    // The tokens have been refreshed since this request was sent.
    if (refused.token !== this.#tokens.access_token) return true
    try {
      await this.refresh()
      return true
    } catch (error) {
      if (isRefusal(error)) return false
      throw error
    }
  }

  /**
   * Renews the tokens. Concurrent calls share one request.
   * @throws {ApiError} 401: the session has ended; other errors do not mean that
   */
  refresh(): Promise<Tokens> {
    const lock = this.#options.refreshLock ?? ((work) => work())
    this.#refreshing ??= lock(() => this.#refreshAlone()).finally(() => {
      this.#refreshing = null
    })
    return this.#refreshing
  }

  /** Takes the tokens that the server has just issued. */
  store(result: LoginAnswer): Tokens {
    const { user: _, ...tokens } = result
    this.#adopt(tokens)
    this.#options.onTokens?.(tokens)
    return tokens
  }

  /** Drops the tokens: the session is over. */
  forget(): void {
    if (this.#tokens === null) return
    this.#tokens = null
    this.#options.onTokens?.(null)
  }

  async #refreshEarly(tokens: Tokens): Promise<void> {
    try {
      await this.refresh()
    } catch (error) {
      const expiry = Date.parse(tokens.expires_at)
      if (!isRefusal(error) && Date.now() >= expiry) throw error
      this.#renewAt = Math.min(expiry, Date.now() + NEXT_EARLY_REFRESH_MS)
    }
  }

  async #refreshAlone(): Promise<Tokens> {
    const stale = this.#tokens
    const stored = this.#options.loadTokens ? this.#options.loadTokens() : stale
    if (stale === null || stored === null) return this.#end(stale)
    if (stored.access_token === stale.access_token) return this.#renew(stale)
    this.#adopt(stored)
    return Date.parse(stored.expires_at) > Date.now() ? stored : this.#renew(stored)
  }

  /** Exchanges the tokens for new ones. A login or logout during the exchange takes precedence. */
  async #renew(held: Tokens): Promise<Tokens> {
    try {
      const result = await this.#exchange(held)
      return this.#tokens === held ? this.store(result) : (this.#tokens ?? this.#end(null))
    } catch (error) {
      return isRefusal(error) ? this.#end(held) : Promise.reject(error)
    }
  }

  #end(held: Tokens | null): never {
    if (this.#tokens === held) this.forget()
    const headers = new Headers({ 'x-error-code': 'authentication_required' })
    throw new ApiError(401, 'authentication required', headers)
  }

  #adopt(tokens: Tokens): void {
    this.#tokens = tokens
    const renewAt = this.#earlyExpiry(tokens)
    // New tokens that look expired show that this machine's clock is wrong. Then only a 401 causes a renewal.
    this.#renewAt = renewAt > Date.now() ? renewAt : Number.POSITIVE_INFINITY
  }

  #earlyExpiry(tokens: Tokens): number {
    return Date.parse(tokens.expires_at) - this.#marginMs
  }
}

/**
 * Returns whether the error means that the session has ended: a 401, a 400 for an invalid refresh token, or a 403 for an
 * account that operators have locked. A 429 or a 5xx never means that.
 */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return error.status === 401 || error.status === 400 || error.code === 'account_locked'
}
