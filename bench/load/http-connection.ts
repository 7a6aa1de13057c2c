import { connect, type Socket } from 'node:net'
import type { Account } from './accounts.ts'

const HEADERS_END = '\r\n\r\n'

/**
 * A persistent HTTP/1.1 connection that carries one request after the other. Hand-written, because Node's client takes more
 * CPU for a request than the measured server.
 */
export class HttpConnection {
  readonly #socket: Socket
  #received = ''
  #answer: PromiseWithResolvers<string> | undefined
  #status = 200

  constructor(port: number) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.#socket.setEncoding('latin1')
    this.#socket.on('data', (text: string) => this.#receive(text))
    this.#socket.on('error', (error) => this.#answer?.reject(error))
    this.#socket.on('close', () => this.#answer?.reject(new Error('the server closed a connection')))
  }

  /**
   * Sends a whole request and returns the body of the answer.
   * @throws Error for any other status
   */
  send(request: string, status = 200): Promise<string> {
    this.#status = status
    this.#answer = Promise.withResolvers<string>()
    this.#socket.write(request)
    return this.#answer.promise
  }

  close(): void {
    this.#answer = undefined
    this.#socket.destroy()
  }

  #receive(text: string): void {
    this.#received += text
    const end = this.#received.indexOf(HEADERS_END)
    if (end === -1) return
    const head = this.#received.slice(0, end)
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1])
    const body = this.#received.slice(end + HEADERS_END.length)
    if (body.length < length) return
    this.#received = ''
    if (head.startsWith(`HTTP/1.1 ${this.#status}`)) this.#answer?.resolve(body)
    else this.#answer?.reject(new Error(`${head.slice(0, head.indexOf('\r'))}: ${body}`))
  }
}

/** Returns the text of a GET request of an account. */
export function getRequest(
  { accessToken, sessionToken }: Pick<Account, 'accessToken' | 'sessionToken'>,
  path: string,
): string {
  return [
    `GET ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    `authorization: Bearer ${accessToken}`,
    `x-session-token: ${sessionToken}`,
    '\r\n',
  ].join('\r\n')
}
