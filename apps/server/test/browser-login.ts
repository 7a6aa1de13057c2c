import type { LoginAnswer } from '@foyer/protocol/auth'
import { CookieJar } from './cookie-jar.ts'
import { emailOf, type RawAnswer, send } from './scenes/accounts.ts'
import { TEST_PASSWORD, type TestServer } from './server.ts'

export const inCookies = { 'x-token-storage': 'cookie' }
/** Headers of a same-origin page that keeps its tokens in cookies. */
export const ownPage = { ...inCookies, 'sec-fetch-site': 'same-origin' }

/** State of a browser after a login. */
export interface BrowserLogin {
  jar: CookieJar
  tokens: LoginAnswer
}

/** Creates an account and returns the browser that is logged in to it. */
export async function arrive(server: TestServer, username: string): Promise<BrowserLogin> {
  const body = accountOf(username)
  return loginIn(await send(server, 'POST', '/api/auth/signin', { body, headers: ownPage }))
}

export function accountOf(username: string) {
  return { username, email: emailOf(username), password: TEST_PASSWORD }
}

export function loginIn(answer: RawAnswer): BrowserLogin {
  if (answer.status !== 200) throw new Error(`no login: ${answer.status} ${answer.text}`)
  return { jar: new CookieJar().take(answer), tokens: answerOf(answer) }
}

export function answerOf({ text }: RawAnswer): LoginAnswer {
  const answer: LoginAnswer = JSON.parse(text)
  return answer
}

/** Refreshes the tokens as the web client does. Ignores the cookies that the server sets. */
export function refreshIn(
  server: TestServer,
  { jar, tokens }: BrowserLogin,
  headers: Record<string, string> = ownPage,
): Promise<RawAnswer> {
  const body = { session_id: sessionOf(tokens) }
  return send(server, 'POST', '/api/auth/refresh', {
    body,
    headers: { ...headers, cookie: jar.sentTo('/api/auth/refresh') },
  })
}

export function sessionOf({ access_token }: LoginAnswer): string {
  return access_token.split('.')[2] ?? ''
}

/** Returns 200 as long as the access token and the cookies are valid together. */
export async function statusIn(server: TestServer, { jar, tokens }: BrowserLogin): Promise<number> {
  const headers = { authorization: `Bearer ${tokens.access_token}`, cookie: jar.sentTo('/api/users/@me') }
  return (await send(server, 'GET', '/api/users/@me', { headers })).status
}
