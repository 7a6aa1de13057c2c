import { connect, type Socket } from 'node:net'
import { GATEWAY_VERSION, Opcode } from '@foyer/protocol/gateway'
import type { Account } from './accounts.ts'
import { clientFrame, compressedFrame, type FrameBounds, frameAt, inflate } from './frames.ts'

const TEXT = 1
const CLOSE = 8
const NOTHING = Buffer.alloc(0)
/** Read buffer that all sockets share: each socket handles its bytes before the next one reads. */
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
  /** Receives the `seq` of new messages. */
  onMessage?: (seq: number) => void
  /** Receives the names of all other events. */
  onEvent?: (name: string) => void
  /** Offers permessage-deflate and compresses all frames, as browsers do. */
  isCompressed?: boolean
}

const ignore = () => undefined

/**
 * A gateway client that only reads the `seq` of new messages, so that a thousand of them cost less than the measured server.
 */
export class GatewayConnection {
  readonly #socket: Socket
  readonly #account: Credential
  readonly #onMessage: (seq: number) => void
  readonly #onEvent: (name: string) => void
  readonly #way: Way
  readonly #ready = Promise.withResolvers<void>()
  #isUpgraded = false
  #rest: Buffer = NOTHING

  private constructor(port: number, account: Credential, listening: Required<Listening>) {
    this.#account = account
    this.#onMessage = listening.onMessage
    this.#onEvent = listening.onEvent
    this.#way = listening.isCompressed ? compressed : plain
    this.#socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: { buffer: shared, callback: (length) => this.#receive(length) },
    })
    this.#socket.on('error', (error) => this.#ready.reject(error))
    this.#socket.on('close', () => this.#ready.reject(new Error('the gateway closed a connection')))
    this.#socket.write(upgradeRequest(port, this.#way.headers))
  }

  /** Resolves after READY. */
  static async open(
    port: number,
    account: Credential,
    { onMessage = ignore, onEvent = ignore, isCompressed = false }: Listening = {},
  ): Promise<GatewayConnection> {
    const connection = new GatewayConnection(port, account, { onMessage, onEvent, isCompressed })
    await connection.#ready.promise
    return connection
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed
  }

  beat(): void {
    this.#socket.write(this.#way.heartbeat)
  }

  close(): void {
    this.#socket.destroy()
  }

  #receive(length: number): boolean {
    const bytes = this.#rest.length === 0 ? shared : Buffer.concat([this.#rest, shared.subarray(0, length)])
    const available = bytes === shared ? length : bytes.length
    let at = this.#isUpgraded ? 0 : this.#upgrade(bytes, available)
    for (let frame = frameAt(bytes, at, available); this.#isUpgraded && frame !== undefined; ) {
      this.#receiveFrame(bytes, frame)
      at = frame.end
      frame = frameAt(bytes, at, available)
    }
    this.#rest = at < available ? Buffer.from(bytes.subarray(at, available)) : NOTHING
    return true
  }

  /** Returns the position of the first frame, once the answer to the upgrade is complete. */
  #upgrade(bytes: Buffer, available: number): number {
    const end = bytes.subarray(0, available).indexOf('\r\n\r\n')
    this.#isUpgraded = end !== -1
    return this.#isUpgraded ? end + 4 : 0
  }

  #receiveFrame(bytes: Buffer, frame: FrameBounds): void {
    if (frame.opcode === CLOSE) return void this.#socket.destroy()
    if (frame.opcode !== TEXT) return
    if (!frame.isCompressed) return this.#receiveText(bytes, frame)
    const text = inflate(bytes, frame)
    this.#receiveText(text, { start: 0, end: text.length })
  }

  #receiveText(bytes: Buffer, { start, end }: Pick<FrameBounds, 'start' | 'end'>): void {
    const isMessage =
      bytes.compare(MESSAGE_CREATE, 0, MESSAGE_CREATE.length, start, start + MESSAGE_CREATE.length) === 0
    if (isMessage) return this.#onMessage(seqIn(bytes, start))
    const frame: Dispatch = JSON.parse(bytes.toString('utf8', start, end))
    if (frame.op === Opcode.Hello) this.#socket.write(this.#way.encode(identify(this.#account)))
    if (frame.t === 'READY') this.#ready.resolve()
    if (frame.t !== undefined) this.#onEvent(frame.t)
  }
}

/** Reads the first `seq` in the frame, which is the message's own: only ids come before it. */
function seqIn(bytes: Buffer, start: number): number {
  let seq = 0
  for (let at = bytes.indexOf(SEQ, start) + SEQ.length; isDigit(bytes[at]); at += 1)
    seq = seq * 10 + (bytes[at] ?? 0) - DIGIT_0
  return seq
}

function isDigit(byte = 0): boolean {
  return byte >= DIGIT_0 && byte < DIGIT_0 + 10
}

export function upgradeRequest(port: number, headers: readonly string[] = []): string {
  return [
    `GET /gateway?v=${GATEWAY_VERSION} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: Zm95ZXIgYmVuY2htYXJrcw==',
    ...headers,
    '\r\n',
  ].join('\r\n')
}

function identify({ accessToken, sessionToken }: Credential): string {
  const d = { token: accessToken, session_token: sessionToken }
  return JSON.stringify({ op: Opcode.Identify, d })
}

/** The extensions a connection offers, and its encoding of frames. */
interface Way {
  headers: readonly string[]
  encode: (text: string) => Buffer
  heartbeat: Buffer
}

const heartbeat = JSON.stringify({ op: Opcode.Heartbeat, d: null })
const plain: Way = { headers: [], encode: clientFrame, heartbeat: clientFrame(heartbeat) }
/** Chrome's offer. Firefox's has no `client_max_window_bits`. */
const compressed: Way = {
  headers: ['Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits'],
  encode: compressedFrame,
  heartbeat: compressedFrame(heartbeat),
}
