import type { LoginResult } from '@foyer/protocol/auth'
import { TEST_PASSWORD, type TestServer } from '../server.ts'

/** A raw HTTP response. */
export interface RawAnswer {
  status: number
  headers: Headers
  /** Error code of the `x-error-code` header. */
  code: string | null
  text: string
  body: unknown
}

export interface RawRequest {
  body?: unknown
  headers?: Record<string, string>
}

/** Sends a raw request, without the SDK. */
export async function send(
  server: TestServer,
  method: string,
  path: string,
  { body, headers = {} }: RawRequest = {},
): Promise<RawAnswer> {
  const init = body === undefined ? {} : { body: JSON.stringify(body) }
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
  const response = await server.fetch(path, { method, headers: { ...type, ...headers }, ...init })
  const text = await response.text()
  return {
    status: response.status,
    headers: response.headers,
    code: response.headers.get('x-error-code'),
    text,
    body: text === '' ? undefined : JSON.parse(text),
  }
}

export function emailOf(username: string): string {
  return `${username}@example.org`
}

/** Sends the request for a new account. @param fields fields of the body to add or replace */
export function sendSignUp(
  server: TestServer,
  username: string,
  fields: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<RawAnswer> {
  const body = { username, email: emailOf(username), password: TEST_PASSWORD, ...fields }
  return send(server, 'POST', '/api/auth/signin', { body, headers })
}

/** Returns an answer's status and error code. */
export async function codeOf(answer: Promise<RawAnswer>): Promise<[number, string | null]> {
  const { status, code } = await answer
  return [status, code]
}

/** Creates an account. */
export async function signIn(server: TestServer, username: string): Promise<LoginResult> {
  return loginResult(await sendSignUp(server, username))
}

/** Opens another session of the account. */
export async function logIn(
  server: TestServer,
  username: string,
  password = TEST_PASSWORD,
): Promise<LoginResult> {
  return loginResult(await tryLogin(server, emailOf(username), password))
}

export function tryLogin(server: TestServer, email: string, password = TEST_PASSWORD): Promise<RawAnswer> {
  return send(server, 'POST', '/api/auth/login', { body: { email, password } })
}

export function tryRefresh(server: TestServer, { refresh_token, session_token }: LoginResult) {
  return send(server, 'POST', '/api/auth/refresh', { body: { refresh_token, session_token } })
}

export function loginResult(answer: RawAnswer): LoginResult {
  if (answer.status !== 200) throw new Error(`no login: ${answer.status} ${answer.text}`)
  const result: LoginResult = JSON.parse(answer.text)
  return result
}

/** Returns the headers that authenticate a request. */
export function credentialOf(tokens: Pick<LoginResult, 'access_token' | 'session_token'>) {
  return { authorization: `Bearer ${tokens.access_token}`, 'x-session-token': tokens.session_token }
}

/** Returns 200 if the credentials are valid, otherwise 401. */
export async function statusOf(server: TestServer, tokens: LoginResult): Promise<number> {
  const { status } = await send(server, 'GET', '/api/users/@me', { headers: credentialOf(tokens) })
  return status
}
