import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import proxyAddr from '@fastify/proxy-addr'
import { CloseCode, GATEWAY_VERSION, Opcode } from '@foyer/protocol/gateway'
import { HEARTBEAT_INTERVAL_MS, MAX_SIGNAL_FRAME_BYTES } from '@foyer/protocol/limits'
import type { Logger } from 'pino'
import { type RawData, WebSocket, WebSocketServer } from 'ws'
import { givenSessionToken } from '#src/kernel/http/authentication.ts'
import { refuseConnection } from '#src/kernel/http/error-answers.ts'
import { RESUME_WINDOW_MS } from '#src/kernel/journal/journal.ts'
import type { LoadGuard } from '#src/kernel/limits/load-guard.ts'
import type { Metrics } from '#src/kernel/metrics.ts'
import { receive } from './commands.ts'
import { Backlogs } from './connections/backlogs.ts'
import { Connection, type ConnectionDeps, type SweepTime } from './connections/connection.ts'
import { Entrance } from './connections/entrance.ts'
import { Flusher } from './connections/flusher.ts'
import { commandFrame } from './connections/frames.ts'
import './connections/inflaters.ts'
import { reconnectSpreadMs } from './connections/reconnecting.ts'
import { forget, type JoiningDeps } from './joining/joining.ts'

export interface GatewayDeps extends JoiningDeps {
  log: Logger
  metrics: Metrics
  trustedProxies: readonly string[]
  loadGuard: LoadGuard
  /** Maximum bytes kept for clients that have not read them yet, over all connections. */
  backlogBytes: number
}

/** Code with which `ws` closes after a frame that is too large to read. */
const TOO_LONG_FOR_WS = 1009
/** RFC 6455, section 7.4.1: text that is not UTF-8. */
const NOT_UTF8 = 1007

/**
 * A socket with our close codes. `ws` also calls `close` to answer a client's close frame, always with the
 * client's reason as a Buffer.
 */
class GatewaySocket extends WebSocket {
  override close(code?: number, reason?: string | Buffer): void {
    if (Buffer.isBuffer(reason) && !isUtf8(reason)) super.close(NOT_UTF8)
    else if (code === TOO_LONG_FOR_WS && reason === undefined) super.close(CloseCode.NotDecodable)
    else super.close(code, reason)
  }
}

/** Supported version of the WebSocket protocol (RFC 6455, section 4.4). */
const WEBSOCKET_VERSION = '13'

/**
 * Bytes of the buffer in which `ws` inflates messages. Most client messages fit, except voice signals. Its default is
 * 16 KiB.
 */
const CHUNK_BYTES = 1024
const SWEEP_INTERVAL_MS = 5000
const DRAIN_MS = 500

/** Accepts WebSockets at /gateway, and manages them until they close. */
export class GatewayServer {
  readonly #deps: GatewayDeps
  readonly #trust: ReturnType<typeof proxyAddr.compile>
  readonly #shared: ConnectionDeps
  readonly #entrance: Entrance
  readonly #connections = new Set<Connection>()
  readonly #sweeper = setInterval(() => this.sweep(), SWEEP_INTERVAL_MS).unref()
  #draining = false
  readonly #sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    skipUTF8Validation: true,
    // The gateway has no subprotocols. Without this, `ws` accepts the first one that a client offers.
    handleProtocols: () => false,
    // One client frame per turn of the event loop. Up to 8,000 of the shortest frames can arrive together.
    allowSynchronousEvents: false,
    maxPayload: MAX_SIGNAL_FRAME_BYTES,
    WebSocket: GatewaySocket,
    perMessageDeflate: {
      serverNoContextTakeover: true,
      clientNoContextTakeover: true,
      zlibInflateOptions: { chunkSize: CHUNK_BYTES },
    },
  })

  constructor(deps: GatewayDeps) {
    this.#deps = deps
    this.#trust = proxyAddr.compile([...deps.trustedProxies])
    this.#entrance = new Entrance(deps)
    const { metrics } = deps
    const backlogs = new Backlogs(deps.backlogBytes, () => metrics.droppedConnections.inc())
    const onReady = (connection: Connection) => this.#entrance.entered(connection)
    this.#shared = { flusher: new Flusher(), backlogs, metrics, onReady }
    metrics.watchGateway({
      connections: () => this.#connections.size,
      joining: () => deps.joinQueue.length,
      unsentBytes: () => backlogs.measure(),
      lagMs: () => deps.loadGuard.lagMs,
    })
    this.#sockets.on('wsClientError', (_error, socket, request) => refuseHandshake(socket, request))
  }

  /** Number of open connections. */
  get connections(): number {
    return this.#connections.size
  }

  attach(server: Server): void {
    server.on('upgrade', (request, socket, head) => this.#upgrade(request, socket, head))
  }

  /** Asks every client to reconnect shortly, to another process, and closes the remaining connections. */
  async drain(): Promise<void> {
    this.#draining = true
    clearInterval(this.#sweeper)
    this.sendAway()
    if (this.#connections.size > 0) await new Promise((resolve) => setTimeout(resolve, DRAIN_MS))
    for (const connection of this.#connections) connection.close(1012, 'the server restarts')
  }

  /** Asks every client to reconnect shortly. A resume delivers the missing events. */
  sendAway(): void {
    const spreadMs = reconnectSpreadMs(this.#connections.size)
    for (const connection of this.#connections) {
      const after = Math.floor(Math.random() * spreadMs)
      connection.send(commandFrame(Opcode.Reconnect, { after_ms: after }))
    }
  }

  /**
   * Closes connections whose time is over. One timer serves all: a timer each would take more memory than the
   * rest of a connection.
   */
  sweep({ monotonicMs = performance.now(), wallMs = Date.now() }: Partial<SweepTime> = {}): void {
    for (const connection of this.#connections) connection.closeIfDue({ monotonicMs, wallMs })
  }

  #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    surviveErrors(socket)
    const url = URL.parse(request.url ?? '/', 'ws://gateway')
    if (url?.pathname !== '/gateway') return refuseConnection(socket, 'not_found')
    if (this.#draining) return refuseConnection(socket, 'unavailable', this.#entrance.retryAfter())
    const address = proxyAddr(request, this.#trust)
    const refusal = this.#entrance.refuse(address, Date.now())
    if (refusal !== undefined) return refuseConnection(socket, refusal.code, refusal.headers)
    // Sends the answer and HELLO in one write.
    socket.cork()
    this.#sockets.handleUpgrade(request, socket, head, (ws) => {
      surviveErrors(ws)
      if (url.searchParams.get('v') !== `${GATEWAY_VERSION}`)
        return ws.close(CloseCode.UnknownVersion, 'unknown version')
      this.#accept(ws, request, { socket, address })
    })
    socket.uncork()
  }

  #accept(ws: WebSocket, request: IncomingMessage, from: { socket: Duplex; address: string }): void {
    const connection = new Connection({
      ws,
      ...from,
      shared: this.#shared,
      sessionToken: givenSessionToken(request.headers),
      compressed: mayCompress(ws, request),
    })
    this.#connections.add(connection)
    this.#entrance.opened(connection)
    ws.on('message', (data, isBinary) => this.#receive(connection, data, isBinary))
    ws.on('pong', () => countFrame(connection))
    ws.on('close', () => this.#closed(connection))
    connection.send(hello)
    connection.flush()
  }

  #receive(connection: Connection, data: RawData, isBinary: boolean): void {
    // Frames that were already on their way are ignored.
    if (connection.state.name === 'closed') return countFrame(connection)
    const frame = { data: Buffer.isBuffer(data) ? data : Buffer.alloc(0), isBinary }
    receive(this.#deps, connection, frame).catch((error) => {
      this.#deps.log.error({ err: error }, 'a gateway command failed')
      connection.close(CloseCode.Unknown, 'internal error')
    })
  }

  #closed(connection: Connection): void {
    forget(this.#deps, connection)
    connection.closed()
    this.#connections.delete(connection)
    this.#entrance.closed(connection)
  }
}

/**
 * Adds an `error` listener, because an `error` event without a listener ends the process. It is needed for a socket until
 * `ws` takes it over, and then for `ws`, which closes the connection by itself. The listener must not close over the
 * request, which would then live as long as the connection.
 */
function surviveErrors(source: Duplex | WebSocket): void {
  source.on('error', ignore)
}

function ignore(this: Duplex | WebSocket): void {
  if (!(this instanceof WebSocket)) this.destroy()
}

function refuseHandshake(socket: Duplex, { headers }: IncomingMessage): void {
  const isOurs = headers['sec-websocket-version'] === WEBSOCKET_VERSION
  refuseConnection(socket, 'malformed_request', isOurs ? {} : { 'Sec-WebSocket-Version': WEBSOCKET_VERSION })
}

/** Counts a pong like any other frame, because it costs as much. `ws` itself limits pings and fragments. */
function countFrame(connection: Connection): void {
  if (!connection.mayCommand()) connection.closeFlood()
}

/**
 * Clients that ask for a smaller window than ours get uncompressed frames, which the extension always allows.
 */
function mayCompress(ws: WebSocket, { headers }: IncomingMessage): boolean {
  const offered = headers['sec-websocket-extensions'] ?? ''
  return ws.extensions.includes('permessage-deflate') && !offered.includes('server_max_window_bits')
}

const hello = commandFrame(Opcode.Hello, {
  heartbeat_interval: HEARTBEAT_INTERVAL_MS,
  resume_window_ms: RESUME_WINDOW_MS,
})
