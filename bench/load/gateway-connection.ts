import { connect, type Socket } from 'node:net'
import { GATEWAY_VERSION, Opcode } from '@foyer/protocol/gateway'
import type { Account } from './accounts.ts'
import { clientFrame, frameAt } from './frames.ts'

const TEXT = 1
const CLOSE = 8
const NOTHING = Buffer.alloc(0)
/** All sockets read into these bytes: each is done with them before the next one reads. */
const shared = Buffer.alloc(256 * 1024)

const MESSAGE_CREATE = Buffer.from('{"op":0,"t":"MESSAGE_CREATE"')
const SEQ = Buffer.from('"seq":')
const DIGIT_0 = 48

type Credential = Pick<Account, 'accessToken' | 'sessionToken'>

interface Dispatch {
  op: number
  t?: string
}

interface Listening {
  /** Hears the `seq` of new messages. */
  onMessage?: (seq: number) => void
  /** Hears the names of all other events. */
  onEvent?: (name: string) => void
}

const ignore = () => undefined

/**
 * A client of the gateway that looks at nothing but the `seq` of new messages, so that a thousand of them cost less
 * than the server that is measured.
 */
export class GatewayConnection {
  readonly #socket: Socket
  readonly #account: Credential
  readonly #onMessage: (seq: number) => void
  readonly #onEvent: (name: string) => void
  readonly #ready = Promise.withResolvers<void>()
  #isUpgraded = false
  #rest: Buffer = NOTHING

  private constructor(port: number, account: Credential, { onMessage, onEvent }: Required<Listening>) {
    this.#account = account
    this.#onMessage = onMessage
    this.#onEvent = onEvent
    this.#socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: { buffer: shared, callback: (length) => this.#receive(length) },
    })
    this.#socket.on('error', (error) => this.#ready.reject(error))
    this.#socket.on('close', () => this.#ready.reject(new Error('the gateway closed a connection')))
    this.#socket.write(upgradeRequest(port))
  }

  /** Resolves after READY. */
  static async open(
    port: number,
    account: Credential,
    { onMessage = ignore, onEvent = ignore }: Listening = {},
  ): Promise<GatewayConnection> {
    const connection = new GatewayConnection(port, account, { onMessage, onEvent })
    await connection.#ready.promise
    return connection
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed
  }

  beat(): void {
    this.#socket.write(heartbeat)
  }

  close(): void {
    this.#socket.destroy()
  }

  #receive(length: number): boolean {
    const bytes = this.#rest.length === 0 ? shared : Buffer.concat([this.#rest, shared.subarray(0, length)])
    const available = bytes === shared ? length : bytes.length
    let at = this.#isUpgraded ? 0 : this.#upgrade(bytes, available)
    for (let frame = frameAt(bytes, at, available); this.#isUpgraded && frame !== undefined; ) {
      this.#hear(bytes, frame)
      at = frame.end
      frame = frameAt(bytes, at, available)
    }
    this.#rest = at < available ? Buffer.from(bytes.subarray(at, available)) : NOTHING
    return true
  }

  /** Where the first frame begins, once the answer to the upgrade is complete. */
  #upgrade(bytes: Buffer, available: number): number {
    const end = bytes.subarray(0, available).indexOf('\r\n\r\n')
    this.#isUpgraded = end !== -1
    return this.#isUpgraded ? end + 4 : 0
  }

  #hear(bytes: Buffer, { opcode, start, end }: { opcode: number; start: number; end: number }): void {
    if (opcode === CLOSE) return void this.#socket.destroy()
    if (opcode !== TEXT) return
    const isMessage =
      bytes.compare(MESSAGE_CREATE, 0, MESSAGE_CREATE.length, start, start + MESSAGE_CREATE.length) === 0
    if (isMessage) return this.#onMessage(seqIn(bytes, start))
    const frame: Dispatch = JSON.parse(bytes.toString('utf8', start, end))
    if (frame.op === Opcode.Hello) this.#socket.write(identify(this.#account))
    if (frame.t === 'READY') this.#ready.resolve()
    if (frame.t !== undefined) this.#onEvent(frame.t)
  }
}

/** The first `seq` is the message's own: only ids stand before it. */
function seqIn(bytes: Buffer, start: number): number {
  let seq = 0
  for (let at = bytes.indexOf(SEQ, start) + SEQ.length; isDigit(bytes[at]); at += 1)
    seq = seq * 10 + (bytes[at] ?? 0) - DIGIT_0
  return seq
}

function isDigit(byte = 0): boolean {
  return byte >= DIGIT_0 && byte < DIGIT_0 + 10
}

export function upgradeRequest(port: number): string {
  return [
    `GET /gateway?v=${GATEWAY_VERSION} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: Zm95ZXIgYmVuY2htYXJrcw==',
    '\r\n',
  ].join('\r\n')
}

function identify({ accessToken, sessionToken }: Credential): Buffer {
  const d = { token: accessToken, session_token: sessionToken }
  return clientFrame(JSON.stringify({ op: Opcode.Identify, d }))
}

const heartbeat = clientFrame(JSON.stringify({ op: Opcode.Heartbeat, d: null }))
