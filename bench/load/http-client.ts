import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Identity } from './crowd.ts'

/** The content of one request. */
export interface Ask {
  method: string
  path: string
  identity?: Identity | undefined
  headers?: Record<string, string>
  /** JSON, unless `headers` name another content type. */
  body?: string | Buffer
}

export interface Answer {
  /** HTTP status; 0 if there was no answer. */
  status: number
  body: string
  retryAfterSeconds: number
}

const NO_ANSWER: Answer = { status: 0, body: '', retryAfterSeconds: 0 }
const TIMEOUT_MS = 20_000

/** Makes requests from one address of this machine. Each parallel request has its own connection. */
export class HttpClient {
  readonly #agent: Agent
  readonly #port: number
  readonly #localAddress: string

  constructor(port: number, localAddress = '127.0.0.1') {
    this.#agent = new Agent({ keepAlive: true })
    this.#port = port
    this.#localAddress = localAddress
  }

  /** Sends a request. Never rejects: a failed request has the status 0. */
  async ask({ method, path, identity, headers = {}, body }: Ask): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>()
    const sending = request({
      host: '127.0.0.1',
      port: this.#port,
      localAddress: this.#localAddress,
      agent: this.#agent,
      method,
      path,
      headers: { ...typeOf(body), ...headers, ...credentialOf(identity) },
      timeout: TIMEOUT_MS,
    })
    sending.on('timeout', () => sending.destroy())
    sending.on('error', () => resolve(NO_ANSWER))
    sending.on('response', (response) => {
      const status = response.statusCode ?? 0
      const retryAfterSeconds = Number(response.headers['retry-after'] ?? 0)
      text(response).then(
        (received) => resolve({ status, body: received, retryAfterSeconds }),
        () => resolve(NO_ANSWER),
      )
    })
    sending.end(body)
    return await promise
  }

  close(): void {
    this.#agent.destroy()
  }
}

function typeOf(body: Ask['body']): Record<string, string> {
  if (body === undefined) return {}
  return { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }
}

function credentialOf(identity: Identity | undefined): Record<string, string> {
  if (identity === undefined) return {}
  return { authorization: `Bearer ${identity.token}`, 'x-session-token': identity.session_token }
}
