import { CloseCode, Opcode } from '@foyer/protocol/gateway'
import { type ClientFrame, parseFrame, type ServerFrame } from './frames.ts'
import { webSocketClass } from './web-socket.ts'

const NORMAL_CLOSURE = 1000

export interface ConnectionOptions {
  url: string
  /** Time limit for the server's HELLO. */
  helloTimeoutMs: number
  /** Returns the position in the journal that heartbeats report. */
  position: () => string | null
  onFrame: (frame: ServerFrame) => void
  /** Called once, when the connection is lost. Not called after `close`. */
  onLost: (code: number) => void
}

/** One WebSocket, from its opening to its end. */
export class Connection {
  readonly #options: ConnectionOptions
  readonly #socket: WebSocket
  #isOver = false
  #isAwaitingAck = false
  #heartbeatMs = 0
  #nextCheckAt = 0
  #timer: ReturnType<typeof setTimeout>

  constructor(options: ConnectionOptions) {
    this.#options = options
    this.#timer = setTimeout(() => this.#lose(CloseCode.TooFastOrTooSlow), options.helloTimeoutMs)
    const Socket = webSocketClass()
    this.#socket = new Socket(options.url)
    this.#socket.addEventListener('message', (event) => this.#receive(parseFrame(event.data)))
    this.#socket.addEventListener('close', (event) => this.#lose(event.code))
    // Without a listener, the library `ws` would throw the error. A `close` event follows each error.
    this.#socket.addEventListener('error', () => undefined)
  }

  /** Drops the frame if the socket is not open. */
  send(frame: ClientFrame): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(frame))
  }

  /** Starts the heartbeat. The first beat has a random delay, which spreads out clients that connected together. */
  startHeartbeat(intervalMs: number): void {
    this.#heartbeatMs = intervalMs
    this.#check(intervalMs * Math.random())
  }

  acknowledge(): void {
    this.#isAwaitingAck = false
  }

  /** Tests whether the server still answers. If it does not, the connection counts as lost. */
  probe(timeoutMs: number): void {
    if (this.#heartbeatMs === 0) return
    if (!this.#isAwaitingAck) this.#beat()
    if (Date.now() + timeoutMs < this.#nextCheckAt) this.#check(timeoutMs)
  }

  /** Closes the connection without calling handlers. */
  close(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#socket.close(NORMAL_CLOSURE)
  }

  #receive(frame: ServerFrame | undefined): void {
    if (this.#isOver) return
    // An unreadable frame may have been an event. Resuming sends it again.
    if (frame === undefined) this.#lose(CloseCode.NotDecodable)
    else this.#options.onFrame(frame)
  }

  #check(afterMs: number): void {
    clearTimeout(this.#timer)
    this.#nextCheckAt = Date.now() + afterMs
    this.#timer = setTimeout(() => this.#checkNow(), afterMs)
  }

  #checkNow(): void {
    if (this.#isAwaitingAck) {
      this.#lose(CloseCode.HeartbeatMissed)
      return
    }
    this.#beat()
    this.#check(this.#heartbeatMs)
  }

  #beat(): void {
    this.#isAwaitingAck = true
    this.send({ op: Opcode.Heartbeat, d: this.#options.position() })
  }

  /** Does not wait for the closing handshake, which a dead network never answers. */
  #lose(code: number): void {
    if (this.#isOver) return
    this.close()
    this.#options.onLost(code)
  }
}
