import type { TestServer } from '../server.ts'
import { SignInBrowser } from './browser.ts'
import type { Claims, HostileProvider } from './hostile-provider.ts'

/** A login that a browser has started and not finished: the provider has not redirected it back. */
export interface Begun {
  browser: SignInBrowser
  state: string
  nonce: string
}

export async function begin(server: TestServer, { settings }: HostileProvider): Promise<Begun> {
  const browser = new SignInBrowser()
  const response = await browser.open(`${server.url}/api/auth/oidc/${settings.id}/start`)
  const { searchParams } = new URL(response.headers.get('location') ?? '')
  return { browser, state: searchParams.get('state') ?? '', nonce: searchParams.get('nonce') ?? '' }
}

/** Opens the callback. @returns `ticket` if the login succeeded, or the error code that the web client shows */
export async function callBack(
  server: TestServer,
  { settings }: Pick<HostileProvider, 'settings'>,
  { browser, state }: Pick<Begun, 'browser' | 'state'>,
  query: Record<string, string> = {},
): Promise<string> {
  const parameters = new URLSearchParams({ code: 'any', state, ...query })
  const response = await browser.open(`${server.url}/api/auth/oidc/${settings.id}/callback?${parameters}`)
  const location = response.headers.get('location') ?? `${response.status}`
  const page = new URL(location, server.url)
  if (page.origin !== new URL(server.url).origin || page.pathname !== '/sign-in') return `left to ${page}`
  // The cookie's name has a prefix if the server has an https address.
  const hasTicket = [...browser.cookies.keys()].some((name) => name.endsWith('foyer_oidc_ticket'))
  return page.searchParams.get('error') ?? (hasTicket ? 'ticket' : 'nothing')
}

/** Runs a whole login in which the provider's ID token has these claims. */
export async function logInWith(
  server: TestServer,
  provider: HostileProvider,
  changes: Claims = {},
  options: Parameters<HostileProvider['sign']>[1] = {},
): Promise<string> {
  const begun = await begin(server, provider)
  const claims = provider.claims({ nonce: begun.nonce, ...changes })
  provider.tokens = { id_token: await provider.sign(claims, options) }
  return callBack(server, provider, begun)
}
