import type { LoginAnswer, LoginBody } from '@foyer/protocol/auth'
import type {
  OwnIdentities,
  ProviderLoginBody,
  ProviderLogout,
  ProviderSignupBody,
  ProviderStart,
  SignInTicket,
} from '@foyer/protocol/oidc'
import type { ProofBody } from '@foyer/protocol/second-factors'
import { type CallOptions, path, type Rest } from '../rest.ts'

/**
 * Login by sign-in providers (OpenID Connect). Works only on pages of the server itself, because a cookie holds the
 * confirmed identity. After a login, pass the received tokens to a new client.
 */
export class Identities {
  readonly #rest: Rest

  constructor(rest: Rest) {
    this.#rest = rest
  }

  /** Returns the identity that a provider has just confirmed to this browser. */
  getTicket(options?: CallOptions): Promise<SignInTicket> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/auth/oidc/ticket', anonymous: true })
  }

  /** Logs in to the account that the identity is linked to. */
  logIn(body: ProviderLoginBody, options?: CallOptions): Promise<LoginAnswer> {
    return this.#open('login', body, options)
  }

  /** Creates an account for the identity. */
  signUp(body: ProviderSignupBody, options?: CallOptions): Promise<LoginAnswer> {
    return this.#open('signup', body, options)
  }

  /** Logs in to an existing account, and links the identity to it. */
  logInAndLink(body: LoginBody, options?: CallOptions): Promise<LoginAnswer> {
    return this.#open('link', body, options)
  }

  /** Lists the caller's linked identities. */
  list(options?: CallOptions): Promise<OwnIdentities> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/users/@me/identities' })
  }

  /** Starts linking: returns the page of the provider to open in this browser. */
  startLinking(provider: string, body: ProofBody, options?: CallOptions): Promise<ProviderStart> {
    return this.#rest.request({
      ...options,
      method: 'POST',
      path: path`/api/users/@me/identities/${provider}/start`,
      body,
    })
  }

  /** Returns the page on which the provider ends its own session, to open after `client.auth.logout()`. */
  findLogout(options?: CallOptions): Promise<ProviderLogout> {
    return this.#rest.request({ ...options, method: 'GET', path: '/api/auth/oidc/logout' })
  }

  unlink(provider: string, body: ProofBody, options?: CallOptions): Promise<void> {
    return this.#rest.request({
      ...options,
      method: 'DELETE',
      path: path`/api/users/@me/identities/${provider}`,
      body,
    })
  }

  #open(step: 'login' | 'signup' | 'link', body: unknown, options?: CallOptions): Promise<LoginAnswer> {
    return this.#rest.request({
      ...{ ...options, method: 'POST', path: `/api/auth/oidc/${step}`, body },
      ...{ anonymous: true, cookies: true },
    })
  }
}
