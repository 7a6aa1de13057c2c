import type { LoginAnswer } from '@foyer/protocol/auth'
import type { SignInTicket } from '@foyer/protocol/oidc'
import type { Config } from '#src/config.ts'
import type { ProviderSettings } from '#src/kernel/oidc/settings.ts'
import { emailOf, type RawAnswer, send } from '../scenes/accounts.ts'
import { startOwnServer, type TestServer } from '../server.ts'
import { SignInBrowser } from './browser.ts'
import { type Accounts, type RealProvider, startRealProvider } from './real-provider.ts'

/** A server with a certified provider. */
export interface SignInScene {
  server: TestServer
  provider: RealProvider
  /** Opens a browser, and logs in at the provider with this account. */
  arrive(account: string, next?: string): Promise<Arrival>
  close(): Promise<void>
}

/** A browser that has logged in at the provider, and the page of the web client that it reached. */
export interface Arrival {
  browser: SignInBrowser
  page: URL
}

/** Returns the claims of an account whose email the provider has verified. */
export function verified(name: string) {
  return { email: emailOf(name), email_verified: true, preferred_username: name }
}

/** @param settings settings of the provider that differ from the usual ones */
export async function startSignInScene(
  accounts: Accounts,
  config: Partial<Config> = {},
  settings: Partial<ProviderSettings> = {},
): Promise<SignInScene> {
  const provider = await startRealProvider(accounts, settings)
  const server = await startOwnServer({ oidcProviders: [provider.settings], ...config })
  await provider.serve(server.url)
  return {
    server,
    provider,
    arrive: (account, next) => arriveBy(server, account, next),
    async close() {
      await server.close()
      await provider.close()
    },
  }
}

async function arriveBy(server: TestServer, account: string, next?: string): Promise<Arrival> {
  const browser = new SignInBrowser()
  const query = next === undefined ? '' : `?${new URLSearchParams({ next })}`
  const page = await browser.follow(`${server.url}/api/auth/oidc/main/start${query}`, account)
  return { browser, page }
}

/** Converts a response to an answer like those of `send`. */
export async function answerOf(response: Response): Promise<RawAnswer> {
  const text = await response.text()
  const { status, headers } = response
  return {
    status,
    headers,
    code: headers.get('x-error-code'),
    text,
    body: text === '' ? undefined : JSON.parse(text),
  }
}

/** Logs in, signs up or links an account with the browser's ticket. */
export async function goOn(
  { server }: Pick<SignInScene, 'server'>,
  { browser }: Pick<Arrival, 'browser'>,
  step: 'login' | 'signup' | 'link',
  body: unknown = {},
): Promise<RawAnswer> {
  return answerOf(await browser.post(`${server.url}/api/auth/oidc/${step}`, body))
}

export async function ticketOf(
  { server }: Pick<SignInScene, 'server'>,
  { browser }: Pick<Arrival, 'browser'>,
): Promise<SignInTicket> {
  const answer = await answerOf(await browser.open(`${server.url}/api/auth/oidc/ticket`))
  if (answer.status !== 200) throw new Error(`no ticket: ${answer.status} ${answer.text}`)
  const ticket: SignInTicket = JSON.parse(answer.text)
  return ticket
}

/** A login in a browser, with the tokens that its cookies hold. */
export interface SignedIn {
  browser: SignInBrowser
  answer: LoginAnswer
  headers: Record<string, string>
}

export function signedIn({ browser }: Pick<Arrival, 'browser'>, { status, text }: RawAnswer): SignedIn {
  if (status !== 200) throw new Error(`no login: ${status} ${text}`)
  const answer: LoginAnswer = JSON.parse(text)
  const cookie = browser.sentTo('/api/users/@me')
  return { browser, answer, headers: { authorization: `Bearer ${answer.access_token}`, cookie } }
}

/** Creates an account for the identity. */
export async function signUpAs(scene: SignInScene, account: string, username = account): Promise<SignedIn> {
  const arrival = await scene.arrive(account)
  return signedIn(arrival, await goOn(scene, arrival, 'signup', { username }))
}

export async function logInAs(scene: SignInScene, account: string): Promise<SignedIn> {
  const arrival = await scene.arrive(account)
  return signedIn(arrival, await goOn(scene, arrival, 'login'))
}

/** Returns 200 as long as the login is valid. */
export async function statusIn(
  { server }: Pick<SignInScene, 'server'>,
  { headers }: Pick<SignedIn, 'headers'>,
) {
  return (await send(server, 'GET', '/api/users/@me', { headers })).status
}

/** Starts to link an identity to a logged-in account, and follows the redirects through the provider. */
export async function linkIn(
  { server }: Pick<SignInScene, 'server'>,
  browser: SignInBrowser,
  headers: Record<string, string>,
  { account, proof }: { account: string; proof: Record<string, unknown> },
): Promise<RawAnswer | URL> {
  const begun = await answerOf(
    await fetch(`${server.url}/api/users/@me/identities/main/start`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(proof),
    }),
  )
  if (begun.status !== 200) return begun
  browser.take(begun.headers)
  const { url }: { url: string } = JSON.parse(begun.text)
  return browser.follow(url, account)
}
