import type { TestContext } from 'node:test'
import type { Events } from '@foyer/protocol/events'
import { Opcode } from '@foyer/protocol/gateway'
import { type WebSocket, WebSocketServer } from 'ws'
import { type Answer, sendError, serve } from './http-fixture.ts'
import { makeUser } from './token-fixture.ts'

interface ClientFrame {
  op: number
  d: { token: string; session_token?: string; s?: string }
}

const HEARTBEAT_MS = 60_000

const notFound: Answer = (_request, response) => sendError(response, 404)

/** The server's side of the gateway, controlled step by step. It closes at the end of the test. */
export class GatewayFixture {
  readonly baseUrl: string
  readonly #arrivals = new Queue<FixtureConnection>()
  connections = 0

  /** @param answer handles HTTP requests */
  static async start(t: TestContext, answer: Answer = notFound, port?: number) {
    const { server, baseUrl } = await serve(t, answer, port)
    return new GatewayFixture(baseUrl, new WebSocketServer({ server, path: '/gateway' }))
  }

  constructor(baseUrl: string, server: WebSocketServer) {
    this.baseUrl = baseUrl
    server.on('connection', (socket, request) => {
      this.connections += 1
      this.#arrivals.push(new FixtureConnection(socket, request.url ?? ''))
    })
  }

  /** Accepts the next connection and sends HELLO. */
  async accept(heartbeatMs: number = HEARTBEAT_MS): Promise<FixtureConnection> {
    const connection = await this.#arrivals.take()
    connection.send(Opcode.Hello, { heartbeat_interval: heartbeatMs, resume_window_ms: 600_000 })
    return connection
  }

  /** Accepts the next connection up to READY. */
  async acceptReady(heartbeatMs?: number): Promise<FixtureConnection> {
    const connection = await this.accept(heartbeatMs)
    await connection.receive(Opcode.Identify)
    connection.ready()
    return connection
  }
}

export class FixtureConnection {
  readonly url: string
  readonly #socket: WebSocket
  #isOver = false
  readonly #frames = new Map<number, Queue<ClientFrame>>()
  readonly closed: Promise<number>

  constructor(socket: WebSocket, url: string) {
    this.url = url
    this.#socket = socket
    this.closed = new Promise((resolve) => socket.on('close', resolve))
    socket.on('close', () => this.#end())
    socket.on('message', (data) => {
      const frame: ClientFrame = JSON.parse(String(data))
      this.#queue(frame.op).push(frame)
    })
  }

  /** Resolves with the next frame of this opcode. Rejects if the connection closes first. */
  receive(op: number): Promise<ClientFrame> {
    return this.#queue(op).take()
  }

  send(op: number, d?: unknown): void {
    this.#socket.send(JSON.stringify({ op, d }))
  }

  sendText(text: string): void {
    this.#socket.send(text)
  }

  dispatch<N extends keyof Events>(t: N, d: Events[N], s?: string): void {
    this.#socket.send(JSON.stringify({ op: Opcode.Dispatch, t, d, s }))
  }

  ready(s?: string, changes: Partial<Events['READY']> = {}): void {
    this.dispatch('READY', { ...emptyReady, ...changes }, s)
  }

  /** Sends an event that the test recognizes by its `s`. */
  event(s: string): void {
    this.dispatch('ROOM_DELETE', { space_id: 'space', room_id: s }, s)
  }

  close(code: number): void {
    this.#socket.close(code)
  }

  /** Destroys the socket without a closing handshake. */
  cut(): void {
    this.#socket.terminate()
  }

  /** Rejects pending waits for frames, which would otherwise never end. */
  #end(): void {
    this.#isOver = true
    for (const queue of this.#frames.values()) queue.end()
  }

  #queue(op: number): Queue<ClientFrame> {
    const queue = this.#frames.get(op) ?? new Queue<ClientFrame>()
    if (this.#isOver) queue.end()
    this.#frames.set(op, queue)
    return queue
  }
}

/** Returns a UUID of version 7 for a time in milliseconds since 1970. */
export function idAt(timeMs: number): string {
  const time = timeMs.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`
}

const emptyReady: Events['READY'] = {
  user: makeUser(),
  spaces: [],
  waiting_spaces: [],
  conversations: [],
  friends: [],
  friend_requests: [],
  blocks: [],
  read_states: [],
  presences: [],
  status: 'online',
  status_until: null,
  voice_states: [],
  calls: [],
  notification_settings: [],
  ice_servers: [],
  session_id: 'session',
  server_time: '2026-01-01T00:00:00.000Z',
  server: { version: '0', limits: {} },
}

/** A queue of frames, delivered in order to its readers. */
class Queue<T> {
  readonly #values: T[] = []
  readonly #takers: PromiseWithResolvers<T>[] = []
  #isOver = false

  push(value: T): void {
    const taker = this.#takers.shift()
    if (taker) taker.resolve(value)
    else this.#values.push(value)
  }

  async take(): Promise<T> {
    const [value] = this.#values.splice(0, 1)
    if (value !== undefined) return value
    const taker = Promise.withResolvers<T>()
    this.#takers.push(taker)
    if (this.#isOver) this.end()
    return taker.promise
  }
  /** Ends the queue: no more frames follow. */
  end(): void {
    this.#isOver = true
    for (const taker of this.#takers.splice(0)) taker.reject(new Error('the connection is closed'))
  }
}
