import type { CreateApplicationBody } from '@foyer/protocol/applications'
import { ACCESS_TOKEN_SECONDS, SESSION_SECONDS } from '@foyer/protocol/limits'
import { Client, type ClientOptions } from '@foyer/sdk/client'
import { hashToken, newId, newToken } from '#src/kernel/ids.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import type { RunningServer } from '#src/start.ts'

type Tokens = NonNullable<ClientOptions['tokens']>

/** A user with credentials. */
export interface Person {
  id: string
  client: Client
  /** Headers that authenticate a request. */
  credentials: Readonly<Record<string, string>>
  /** Sends a request that the SDK would never send. Text and FormData are sent as they are, other bodies as JSON. */
  call(method: string, path: string, body?: unknown): Promise<Answer>
  /** Returns the same user with a client for another server of the installation. */
  at(other: Pick<RunningServer, 'url'>): Person
}

export interface Bot extends Person {
  token: string
}

export interface Answer {
  status: number
  /** Error code of the `x-error-code` header. */
  code: string | null
  body: unknown
}

/** Creates an account that is logged in, without the cost of hashing a password. */
export async function createPerson(server: RunningServer, username: string): Promise<Person> {
  const userId = await insertUser(server, username, false)
  const sessionId = newId()
  const now = Date.now()
  const [expiresAt, sessionExpiresAt] = [now + ACCESS_TOKEN_SECONDS * 1000, now + SESSION_SECONDS * 1000]
  await server.deps.database.execute(sql`
    insert into sessions (id, user_id, expires_at)
    values (${sessionId}, ${userId}, ${new Date(sessionExpiresAt)})`)
  const sign = (kind: 'access' | 'refresh' | 'session') =>
    server.deps.signer.sign({ kind, userId, sessionId, generation: 0, expiresAt })
  const tokens = {
    access_token: sign('access'),
    refresh_token: sign('refresh'),
    session_token: sign('session'),
    expires_at: new Date(expiresAt).toISOString(),
    session_expires_at: new Date(sessionExpiresAt).toISOString(),
  }
  return personWith(server, userId, tokens)
}

function personWith({ url }: Pick<RunningServer, 'url'>, id: string, tokens: Required<Tokens>): Person {
  const headers = {
    authorization: `Bearer ${tokens.access_token}`,
    'x-session-token': tokens.session_token,
  }
  return {
    id,
    client: new Client({ baseUrl: url, tokens }),
    credentials: headers,
    call: (method, path, body) => call({ url: url + path, method, headers }, body),
    at: (other) => personWith(other, id, tokens),
  }
}

/** Creates a bot without an application. It cannot be added to a space. */
export async function createBot(server: RunningServer, username: string): Promise<Bot> {
  const userId = await insertUser(server, username, true)
  const botToken = `${userId}.${newToken()}`
  await server.deps.database.execute(sql`
    insert into bot_tokens (user_id, token_hash) values (${userId}, ${hashToken(botToken)})`)
  return botWith(server, botToken)
}

/** Creates an application and returns its bot. */
export async function createApplicationBot(
  server: RunningServer,
  owner: Pick<Person, 'client'>,
  body: CreateApplicationBody,
): Promise<Bot> {
  const { token } = await owner.client.applications.create(body)
  return botWith(server, token)
}

/** Returns the bot with this token. */
export function botWith(server: Pick<RunningServer, 'url'>, token: string): Bot {
  const headers = { authorization: `Bot ${token}` }
  return {
    id: token.slice(0, token.indexOf('.')),
    token,
    client: new Client({ baseUrl: server.url, botToken: token }),
    credentials: headers,
    call: (method, path, body) => call({ url: server.url + path, method, headers }, body),
    at: (other) => botWith(other, token),
  }
}

/** Sends a request without credentials. */
export function callAsNobody(server: RunningServer, method: string, path: string): Promise<Answer> {
  return call({ url: server.url + path, method })
}

async function insertUser(server: RunningServer, username: string, isBot: boolean): Promise<string> {
  const id = newId()
  await server.deps.database.execute(sql`
    insert into users (id, username, email, is_bot)
    values (${id}, ${username}, ${`${username}@example.org`}, ${isBot})`)
  return id
}

interface Call {
  url: string
  method: string
  headers?: Record<string, string>
}

async function call({ url, method, headers = {} }: Call, body?: unknown): Promise<Answer> {
  const response = await fetch(url, { method, ...sendable(headers, body) })
  const answer = await response.text()
  return {
    status: response.status,
    code: response.headers.get('x-error-code'),
    body: answer === '' ? undefined : JSON.parse(answer),
  }
}

function sendable(headers: Record<string, string>, body: unknown): RequestInit {
  if (body === undefined) return { headers }
  if (body instanceof FormData) return { headers, body }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { headers: { ...headers, 'content-type': 'application/json' }, body: text }
}
