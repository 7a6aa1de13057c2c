import type { Duplex } from 'node:stream'
import { FORUMS_CAPABILITY } from '@foyer/protocol/forums'
import { CloseCode, type Identify, Opcode } from '@foyer/protocol/gateway'
import { HEARTBEAT_INTERVAL_MS, IDENTIFY_TIMEOUT_MS, MAX_UNSENT_BYTES } from '@foyer/protocol/limits'
import { THREADS_CAPABILITY } from '@foyer/protocol/thread-rooms'
import type { WebSocket } from 'ws'
import { newId } from '#src/kernel/ids.ts'
import type { Event } from '#src/kernel/journal/bus.ts'
import type { Metrics } from '#src/kernel/metrics.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import type { Backlogs } from './backlogs.ts'
import type { Flusher } from './flusher.ts'
import { commandFrame, type Frame } from './frames.ts'
import { framesDue, type Held } from './held-frames.ts'
import { deflatedPieces, type LongEvent, lengthOf, plainPieces } from './long-frames.ts'

/** Unsent bytes above which transient events are dropped. */
const DROP_TRANSIENT_BYTES = 64 * 1024
/** Connections with at most this many unsent bytes are not reported to the backlogs. */
const UNCOUNTED_BYTES = 4096
/** From this size on, copying into one buffer takes longer than writing the pieces. */
const SEPARATE_FROM_BYTES = 256 * 1024
/** Time that a client has to read and answer the close frame, before the connection is terminated. */
const CLOSE_TIMEOUT_MS = 5000
const HEARTBEAT_GRACE_MS = HEARTBEAT_INTERVAL_MS / 2
const MAX_COMMANDS = 120
const COMMAND_WINDOW_MS = 60_000

/** While a connection is `joining`, its frames are held until READY or the replay has been sent. */
export type ConnectionState =
  | { readonly name: 'waiting'; readonly since: number }
  | { readonly name: 'authenticating' }
  | { readonly name: 'joining'; readonly held: Held[]; heldBytes: number }
  | { readonly name: 'ready' }
  | { readonly name: 'closed' }

/** The time of a sweep. Silence is measured on a monotonic clock, the end of a session on the wall clock. */
export interface SweepTime {
  /** Value of performance.now(). */
  monotonicMs: number
  /** Milliseconds since 1970. */
  wallMs: number
}

/** Dependencies that all connections share. */
export interface ConnectionDeps {
  flusher: Flusher
  backlogs: Backlogs
  metrics: Pick<Metrics, 'droppedConnections'>
  onReady: (connection: Connection) => void
}

/**
 * One client's WebSocket. `ws` reads from it. Writing bypasses `ws`: finished frames go to the socket, many
 * per write.
 */
export class Connection {
  readonly id = newId()
  readonly address: string
  /** The session token from the upgrade request's header or cookie. Used if IDENTIFY contains no session token. */
  readonly sessionToken: string | undefined
  state: ConnectionState = { name: 'waiting', since: performance.now() }
  /** The caller, set by IDENTIFY or RESUME. Kept after the connection has closed. */
  caller: Caller | undefined
  /** Spaces this connection receives events of. */
  readonly spaces = new Set<string>()
  /** Spaces the connection is being subscribed to. A space is removed if the user leaves it before that is done. */
  readonly entering = new Set<string>()
  /** Conversations this connection receives events of. */
  readonly conversations = new Set<string>()
  /** True if the client asked for the events of threads. */
  hasThreads = false
  /** True if the client asked for forums. */
  hasForums = false
  /** Counts changes of the user's spaces and roles, and conversations that ended. Joining starts over after a change. */
  membershipChanges = 0
  readonly #ws: WebSocket
  readonly #socket: Duplex
  readonly #shared: ConnectionDeps
  readonly #compressed: boolean
  #unflushed: Buffer[] = []
  #maxUnsentBytes = MAX_UNSENT_BYTES
  #heartbeatDue = performance.now() + HEARTBEAT_INTERVAL_MS + HEARTBEAT_GRACE_MS
  #commandsLeft = MAX_COMMANDS
  #commandsReset = 0

  constructor(given: {
    ws: WebSocket
    socket: Duplex
    shared: ConnectionDeps
    address: string
    sessionToken: string | undefined
    compressed: boolean
  }) {
    this.#ws = given.ws
    this.#socket = given.socket
    this.#shared = given.shared
    this.#compressed = given.compressed
    this.address = given.address
    this.sessionToken = given.sessionToken
  }

  /** Starts authentication. From here on, another IDENTIFY or RESUME is refused. */
  authenticate({ capabilities }: Pick<Identify, 'capabilities'>): void {
    this.state = { name: 'authenticating' }
    this.hasThreads = capabilities?.includes(THREADS_CAPABILITY) ?? false
    this.hasForums = capabilities?.includes(FORUMS_CAPABILITY) ?? false
  }

  /** Assigns the caller. From here on the connection receives the caller's events, held until `release`. */
  join(caller: Caller): void {
    this.caller = caller
    this.state = { name: 'joining', held: [], heldBytes: 0 }
  }

  /** Returns to the initial state after a failed RESUME. The client will identify. */
  wait(): void {
    if (this.state.name !== 'joining') return
    this.caller = undefined
    this.state = { name: 'waiting', since: performance.now() }
  }

  /**
   * Sends the held frames. From here on frames are sent as they arrive.
   * @param isDue returns true if the connection may still receive a held event
   */
  release(isDue: (event: Event) => boolean): void {
    if (this.state.name !== 'joining') return
    const { held } = this.state
    this.state = { name: 'ready' }
    for (const frame of held.flatMap((held) => framesDue(held, isDue))) this.send(frame)
    this.#shared.onReady(this)
  }

  /** True if so much is unsent that transient events are dropped. */
  get isBehind(): boolean {
    return this.#socket.writableLength > DROP_TRANSIENT_BYTES
  }

  /**
   * Sends a frame, or holds it while joining. A slow client loses transient events first.
   * @param events the frame's events, if it is not for this connection alone
   */
  dispatch(frame: Frame, isTransient: boolean, events: readonly Event[] = []): void {
    if (this.state.name === 'joining') return this.#hold(this.state, { frame, events })
    if (this.state.name !== 'ready') return
    if (isTransient && this.isBehind) return
    this.send(frame)
  }

  /** Sends at the end of this turn of the event loop, together with later frames of the turn. */
  send(frame: Frame): void {
    if (this.state.name === 'closed') return
    if (this.#unflushed.length === 0) this.#shared.flusher.add(this)
    this.#unflushed.push(this.#compressed ? frame.deflated : frame.plain)
  }

  /** Sends a long event. Compression runs in other threads. */
  async sendLong(event: LongEvent): Promise<void> {
    const pieces = this.#compressed ? await deflatedPieces(event) : plainPieces(event)
    if (this.state.name === 'closed') return
    if (this.#unflushed.length === 0) this.#shared.flusher.add(this)
    this.#unflushed.push(...pieces)
  }

  /** Compresses a large frame in another thread, before it is sent. */
  async prepare(frame: Frame): Promise<void> {
    if (this.#compressed) await frame.deflateAside()
  }

  flush(): void {
    const buffers = this.#unflushed
    const [first] = buffers
    this.#unflushed = []
    if (first === undefined || this.#socket.destroyed) return
    if (this.#socket.writableLength > this.#maxUnsentBytes) return this.#endSlow()
    const length = buffers.length === 1 ? first.length : lengthOf(buffers)
    if (buffers.length === 1) this.#socket.write(first)
    else if (length < SEPARATE_FROM_BYTES) this.#socket.write(Buffer.concat(buffers, length))
    else this.#writeSeparately(buffers)
    // A payload that is long by itself, such as a large READY, does not make the client slow.
    if (length > MAX_UNSENT_BYTES) this.#maxUnsentBytes = MAX_UNSENT_BYTES + length
    if (this.#socket.writableLength > UNCOUNTED_BYTES) this.#shared.backlogs.note(this)
  }

  /** Bytes kept for the client: unread output and held frames. */
  get unsentBytes(): number {
    const held = this.state.name === 'joining' ? this.state.heldBytes : 0
    return this.#socket.writableLength + held
  }

  /**
   * Terminates without a close frame, which would have to wait behind the unread output. The client notices
   * and resumes.
   */
  cutOff(): void {
    this.closed()
    this.#ws.terminate()
  }

  /** Resolves when the client has read most of the output, or has disconnected. A small remainder may be sent later. */
  async drained(): Promise<void> {
    if (!this.#socket.writableNeedDrain && lengthOf(this.#unflushed) < DROP_TRANSIENT_BYTES) return
    this.flush()
    if (this.#socket.destroyed || !this.#socket.writableNeedDrain) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#socket.on('drain', resolve).on('close', resolve)
    await promise
    this.#socket.off('drain', resolve).off('close', resolve)
  }

  close(code: number, reason: string): void {
    this.flush()
    this.#end(code, reason)
  }

  /**
   * Closes and stops reading. Otherwise everything a client sends before it answers the close frame would be
   * parsed.
   */
  closeFlood(): void {
    if (this.#ws.isPaused) return
    this.close(CloseCode.TooFastOrTooSlow, 'too many frames')
    this.#ws.pause()
  }

  /** Called when the socket has closed, by either side. */
  closed(): void {
    this.state = { name: 'closed' }
    this.#unflushed = []
    this.#shared.backlogs.forget(this)
  }

  beat(): void {
    this.#heartbeatDue = performance.now() + HEARTBEAT_INTERVAL_MS + HEARTBEAT_GRACE_MS
    this.send(heartbeatAck)
  }

  /**
   * Closes the connection if its client is silent, has not identified in time, or its session has expired.
   */
  closeIfDue({ monotonicMs, wallMs }: SweepTime): void {
    if (monotonicMs > this.#heartbeatDue) this.close(CloseCode.HeartbeatMissed, 'heartbeat missed')
    const isLate = this.state.name === 'waiting' && monotonicMs - this.state.since > IDENTIFY_TIMEOUT_MS
    if (isLate) this.close(CloseCode.NotIdentified, 'not identified in time')
    const isOver = this.caller?.kind === 'human' && wallMs >= this.caller.expiresAt
    if (isOver) this.close(CloseCode.SessionEnded, 'the session ended')
  }

  /**
   * Counts a frame of the client.
   * @returns false above the limit
   */
  mayCommand(): boolean {
    const now = performance.now()
    if (now > this.#commandsReset) {
      this.#commandsReset = now + COMMAND_WINDOW_MS
      this.#commandsLeft = MAX_COMMANDS
    }
    this.#commandsLeft -= 1
    return this.#commandsLeft >= 0
  }

  /** Writes all buffers with one system call, as a single write would. */
  #writeSeparately(buffers: readonly Buffer[]): void {
    this.#socket.cork()
    for (const bytes of buffers) this.#socket.write(bytes)
    this.#socket.uncork()
  }

  #endSlow(): void {
    this.#shared.metrics.droppedConnections.inc()
    this.#end(CloseCode.TooFastOrTooSlow, 'reads too slowly')
  }

  #end(code: number, reason: string): void {
    if (this.state.name === 'closed') return
    this.state = { name: 'closed' }
    this.#ws.close(code, reason)
    setTimeout(() => this.#ws.terminate(), CLOSE_TIMEOUT_MS).unref()
  }

  #hold(state: Extract<ConnectionState, { name: 'joining' }>, held: Held): void {
    state.held.push(held)
    state.heldBytes += held.frame.plain.length
    this.#shared.backlogs.note(this)
    if (state.heldBytes > MAX_UNSENT_BYTES)
      this.close(CloseCode.TooFastOrTooSlow, 'too many events while joining')
  }
}

const heartbeatAck = commandFrame(Opcode.HeartbeatAck)
