import type { Account } from './accounts.ts'
import { HttpConnection } from './http-connection.ts'
import type { Ledger } from './ledger.ts'

/** Sends a message, waits for its acknowledgement, and sends the next one: a closed loop. */
export class Sender {
  readonly #account: Account
  readonly #ledger: Ledger
  readonly #connection: HttpConnection
  readonly #name: string
  #count = 0

  constructor(given: { port: number; account: Account; ledger: Ledger; name: string }) {
    this.#account = given.account
    this.#ledger = given.ledger
    this.#connection = new HttpConnection(given.port)
    this.#name = given.name
  }

  async sendUntil(time: number): Promise<void> {
    while (performance.now() < time) await this.#send()
    this.#connection.close()
  }

  async #send(): Promise<void> {
    const request = this.#nextRequest()
    const sentAt = performance.now()
    const answer = await this.#connection.send(request)
    const seq = Number(/"seq":(\d+)/.exec(answer)?.[1])
    this.#ledger.acknowledge(seq, sentAt)
  }

  /** Returns a request with a nonce, as all our clients send it. */
  #nextRequest(): string {
    this.#count += 1
    const { roomId, accessToken, sessionToken } = this.#account
    const body = JSON.stringify({
      content: `Message ${this.#count} of ${this.#name}: shall we meet at the usual place at eight tonight?`,
      nonce: `${this.#name} ${this.#count}`,
    })
    return [
      `POST /api/rooms/${roomId}/messages HTTP/1.1`,
      'Host: 127.0.0.1',
      `Authorization: Bearer ${accessToken}`,
      `X-Session-Token: ${sessionToken}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n')
  }
}
