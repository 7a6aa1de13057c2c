import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type ServerMetadata,
} from 'openid-client'
import { type IssuerDoors, issuerFetch } from './issuer-requests.ts'
import { type LoggedOut, LogoutTokens } from './logout-tokens.ts'
import { explained, ProviderError } from './provider-error.ts'
import { CLOCK_TOLERANCE_SECONDS, SIGNATURES } from './rules.ts'
import type { ProviderSettings } from './settings.ts'

const REQUEST_SECONDS = 10
/** Parameters that ask for a new login. Both are sent, because some providers support only one of them. */
const AGAIN = { prompt: 'login', max_age: '0' }

/** Secrets of one login, which the callback must match. */
export interface FlowChecks {
  state: string
  nonce: string
  verifier: string
}

/** Claims from the provider's signed token, and from its UserInfo for the same subject. */
export interface ProvenIdentity {
  subject: string
  /** The session at the provider, for a later log-out. */
  providerSession: string | null
  claims: Readonly<Record<string, unknown>>
}

/**
 * An OpenID Connect client of a provider. Metadata and keys are fetched for every login, so that a new key works
 * immediately, and a withdrawn key no longer works.
 */
export class Provider {
  readonly settings: ProviderSettings
  readonly #fetch: ReturnType<typeof issuerFetch>
  readonly #logoutTokens: LogoutTokens

  constructor(settings: ProviderSettings, doors: IssuerDoors) {
    this.settings = settings
    this.#fetch = issuerFetch(doors, settings)
    this.#logoutTokens = new LogoutTokens(settings, this.#fetch)
  }

  /**
   * Returns the address of the provider's page, and the secrets that the callback needs.
   * @param options `again` makes people log in at the provider even if they are logged in there
   * @throws ProviderError
   */
  async begin(redirectUri: string, { again = false } = {}): Promise<{ url: URL; checks: FlowChecks }> {
    const config = await this.#discover()
    const checks = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() }
    const url = this.#checkedPage(await this.#pageOf(config, redirectUri, checks))
    if (again) for (const [name, value] of Object.entries(AGAIN)) url.searchParams.set(name, value)
    return { url, checks }
  }

  /**
   * Redeems the code of a callback, and verifies the provider's answer.
   * @param callback address to which the provider redirected the browser
   * @param options `since`: the person must have logged in there after this time, in milliseconds
   * @throws ProviderError
   */
  async finish(
    callback: URL,
    { state, nonce, verifier }: FlowChecks,
    { since }: { since?: number } = {},
  ): Promise<ProvenIdentity> {
    const config = await this.#discover()
    try {
      const tokens = await authorizationCodeGrant(config, callback, {
        ...{ pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true },
      })
      const signed = tokens.claims()
      if (signed === undefined || signed.sub === '')
        throw new ProviderError('invalid', 'there is no ID token')
      if (since !== undefined) checkFresh(signed.auth_time, since)
      const hasMore = config.serverMetadata().userinfo_endpoint !== undefined
      const more = hasMore ? await fetchUserInfo(config, tokens.access_token, signed.sub) : {}
      const providerSession = typeof signed.sid === 'string' ? signed.sid : null
      return { subject: signed.sub, providerSession, claims: { ...more, ...signed } }
    } catch (error) {
      throw explained(error)
    }
  }

  /**
   * Reads the metadata and the keys, without a login.
   * @throws ProviderError if a login would fail
   */
  async readKeys(): Promise<void> {
    const { jwks_uri: keysAt } = (await this.#discover()).serverMetadata()
    if (keysAt === undefined) throw new ProviderError('invalid', 'the metadata names no keys')
    try {
      const options = { body: null, method: 'GET', headers: {}, redirect: 'manual' } as const
      const { keys }: { keys?: unknown } = await (await this.#fetch(keysAt, options)).json()
      if (!Array.isArray(keys) || keys.length === 0)
        throw new ProviderError('invalid', `${keysAt} has no keys`)
    } catch (error) {
      throw explained(error)
    }
  }

  /**
   * Returns the page that ends the person's session at the provider (RP-Initiated Logout 1.0) and redirects them back.
   * The ID token is not kept, so the provider may ask for confirmation.
   * @returns undefined for a provider without such a page
   * @throws ProviderError
   */
  async logoutPage(backTo: string): Promise<URL | undefined> {
    const config = await this.#discover()
    if (config.serverMetadata().end_session_endpoint === undefined) return undefined
    try {
      return this.#checkedPage(buildEndSessionUrl(config, { post_logout_redirect_uri: backTo }))
    } catch (error) {
      throw explained(error)
    }
  }

  /** @throws ProviderError for an address that no browser should open: the metadata may name anything, such as a script */
  #checkedPage(url: URL): URL {
    const isPage = url.protocol === 'https:' || (this.settings.allowInsecure && url.protocol === 'http:')
    if (!isPage) throw new ProviderError('invalid', 'the metadata names no page for browsers')
    return url
  }

  /** @throws ProviderError for a logout token that cannot be verified */
  async verifyLogout(token: string): Promise<LoggedOut> {
    const config = await this.#discover()
    return this.#logoutTokens.verify(token, config.serverMetadata())
  }

  async #pageOf(config: Configuration, redirectUri: string, checks: FlowChecks): Promise<URL> {
    const code_challenge = await calculatePKCECodeChallenge(checks.verifier)
    try {
      return buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: this.settings.scopes.join(' '),
        code_challenge,
        code_challenge_method: 'S256',
        state: checks.state,
        nonce: checks.nonce,
      })
    } catch (error) {
      throw explained(error)
    }
  }

  async #discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret, allowInsecure } = this.settings
    const metadata = {
      ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
      [clockTolerance]: CLOCK_TOLERANCE_SECONDS,
    }
    try {
      return await discovery(new URL(issuer), clientId, metadata, this.#authentication(), {
        execute: [
          enableNonRepudiationChecks,
          refuseWeakSignatures,
          ...(allowInsecure ? [allowInsecureRequests] : []),
        ],
        timeout: REQUEST_SECONDS,
        [customFetch]: this.#fetch,
      })
    } catch (error) {
      throw explained(error)
    }
  }

  /** Uses HTTP Basic, unless only `client_secret_post` is announced. Many providers accept one method per client, usually Basic. */
  #authentication(): ClientAuth {
    const { clientSecret } = this.settings
    if (clientSecret === undefined) return None()
    const [basic, post] = [ClientSecretBasic(clientSecret), ClientSecretPost(clientSecret)]
    return (server, client, body, headers) => {
      const way = isOnlyPost(server) ? post : basic
      way(server, client, body, headers)
    }
  }
}

/** Checks the signed time of the login, because a provider may ignore the request for a new one. */
function checkFresh(signedTime: unknown, since: number): void {
  if (typeof signedTime !== 'number')
    throw new ProviderError('stale', 'the provider does not say when the person logged in (auth_time)')
  const toleranceMs = CLOCK_TOLERANCE_SECONDS * 1000
  const isFresh = signedTime * 1000 >= since - toleranceMs && signedTime * 1000 <= Date.now() + toleranceMs
  if (!isFresh) throw new ProviderError('stale', 'the person did not log in again')
}

function isOnlyPost({ token_endpoint_auth_methods_supported: methods }: ServerMetadata): boolean {
  return (
    methods !== undefined &&
    !methods.includes('client_secret_basic') &&
    methods.includes('client_secret_post')
  )
}

/** Refuses a provider that signs only with `none` or a shared secret: others could forge such tokens. */
function refuseWeakSignatures(config: Configuration): void {
  const { id_token_signing_alg_values_supported: announced = ['RS256'] } = config.serverMetadata()
  if (!announced.some((algorithm) => SIGNATURES.includes(algorithm)))
    throw new ProviderError('invalid', 'the provider announces no signatures by a key pair')
}
