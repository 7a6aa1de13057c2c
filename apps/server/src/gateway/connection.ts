import type { Duplex } from 'node:stream'
import { CloseCode, Opcode } from '@foyer/protocol/gateway'
import { HEARTBEAT_INTERVAL_MS, IDENTIFY_TIMEOUT_MS, MAX_UNSENT_BYTES } from '@foyer/protocol/limits'
import type { WebSocket } from 'ws'
import type { Event } from '#src/kernel/bus.ts'
import type { Caller } from '#src/kernel/credentials.ts'
import { newId } from '#src/kernel/ids.ts'
import type { Metrics } from '#src/kernel/metrics.ts'
import type { Backlogs } from './backlogs.ts'
import type { Flusher } from './flusher.ts'
import { commandFrame, dispatchFrame, type Frame } from './frames.ts'
import { deflatedPieces, type LongEvent, lengthOf, plainPieces } from './long-frames.ts'

/** Past this, events that pass without trace are not worth the wait. */
const DROP_PASSING_BYTES = 64 * 1024
/** What everybody may owe without being counted among the slow. */
const UNCOUNTED_BYTES = 4096
/** Copying so much into one buffer would take longer than writing its pieces. */
const SEPARATE_FROM_BYTES = 256 * 1024
/** A slow reader gets this long to read why it was closed. */
const CLOSE_TIMEOUT_MS = 5000
const HEARTBEAT_GRACE_MS = HEARTBEAT_INTERVAL_MS / 2
const MAX_COMMANDS = 120
const COMMAND_WINDOW_MS = 60_000

/** What is kept until the connection is ready, and what it tells of, as far as it may be for others by then. */
interface Held {
  readonly frame: Frame
  readonly events: readonly Event[]
}

/**
 * Where a connection stands. While it is `joining`, what it hears is held back, until READY or the replay is out.
 */
export type ConnectionState =
  | { readonly name: 'waiting'; readonly since: number }
  | { readonly name: 'authenticating' }
  | { readonly name: 'joining'; readonly held: Held[]; heldBytes: number }
  | { readonly name: 'ready' }
  | { readonly name: 'closed' }

/** When a sweep is. Silence is measured on a clock that nobody sets, ends of sessions are times of day. */
export interface SweepTime {
  /** Of performance.now(). */
  monotonicMs: number
  /** Since 1970. */
  wallMs: number
}

/** What all connections share. */
export interface Surroundings {
  flusher: Flusher
  backlogs: Backlogs
  metrics: Pick<Metrics, 'droppedConnections'>
  onReady: (connection: Connection) => void
}

/** One client's WebSocket. `ws` reads it; what we send goes to its socket as finished frames, many to a write. */
export class Connection {
  readonly id = newId()
  readonly address: string
  /** The session token of the upgrade request's header or cookie: for an IDENTIFY without one. */
  readonly sessionToken: string | undefined
  state: ConnectionState = { name: 'waiting', since: performance.now() }
  /** Whose it is, from IDENTIFY on and until after it was closed. */
  caller: Caller | undefined
  /** Spaces whose events this connection hears. */
  readonly spaces = new Set<string>()
  /** Spaces that it is about to hear, unless the user leaves them first. */
  readonly entering = new Set<string>()
  /** Conversations whose events it hears. */
  readonly conversations = new Set<string>()
  /** Counts the changes of the user's memberships, and ends of conversations, that came while joining. */
  membershipChanges = 0
  readonly #ws: WebSocket
  readonly #socket: Duplex
  readonly #shared: Surroundings
  readonly #compressed: boolean
  #unflushed: Buffer[] = []
  #maxUnsentBytes = MAX_UNSENT_BYTES
  #heartbeatDue = performance.now() + HEARTBEAT_INTERVAL_MS + HEARTBEAT_GRACE_MS
  #commandsLeft = MAX_COMMANDS
  #commandsReset = 0

  constructor(given: {
    ws: WebSocket
    socket: Duplex
    shared: Surroundings
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

  /** Somebody says who they are: a second IDENTIFY or RESUME is one too many from here on. */
  authenticate(): void {
    this.state = { name: 'authenticating' }
  }

  /** From here on the connection is somebody's, and hears what they may; all of it is held until `release`. */
  join(caller: Caller): void {
    this.caller = caller
    this.state = { name: 'joining', held: [], heldBytes: 0 }
  }

  /** Back to the beginning: a RESUME came to nothing, and the client will identify anew. */
  wait(): void {
    if (this.state.name !== 'joining') return
    this.caller = undefined
    this.state = { name: 'waiting', since: performance.now() }
  }

  /**
   * Sends what was held back, and everything from now on as it comes.
   * @param isDue whether an event that was held back is still for this connection
   */
  release(isDue: (event: Event) => boolean): void {
    if (this.state.name !== 'joining') return
    const { held } = this.state
    this.state = { name: 'ready' }
    for (const frame of held.flatMap((told) => framesDue(told, isDue))) this.send(frame)
    this.#shared.onReady(this)
  }

  /** Whether so much is unsent that passing events are lost. */
  get isBehind(): boolean {
    return this.#socket.writableLength > DROP_PASSING_BYTES
  }

  /**
   * Hands a frame to the client, or holds it. Passing events are the first that a slow reader loses.
   * @param events what it tells, where that is not for this connection alone
   */
  hear(frame: Frame, isPassing: boolean, events: readonly Event[] = []): void {
    if (this.state.name === 'joining') return this.#hold(this.state, { frame, events })
    if (this.state.name !== 'ready') return
    if (isPassing && this.isBehind) return
    this.send(frame)
  }

  /** Sends at the end of this turn, with whatever else comes until then. */
  send(frame: Frame): void {
    if (this.state.name === 'closed') return
    if (this.#unflushed.length === 0) this.#shared.flusher.add(this)
    this.#unflushed.push(this.#compressed ? frame.deflated : frame.plain)
  }

  /** Sends a long event. Other threads compress it. */
  async sendLong(event: LongEvent): Promise<void> {
    const pieces = this.#compressed ? await deflatedPieces(event) : plainPieces(event)
    if (this.state.name === 'closed') return
    if (this.#unflushed.length === 0) this.#shared.flusher.add(this)
    this.#unflushed.push(...pieces)
  }

  /** Compresses a large frame in another thread before it is sent. */
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
    // What is long by itself, like a large READY, is no sign of a slow reader.
    if (length > MAX_UNSENT_BYTES) this.#maxUnsentBytes = MAX_UNSENT_BYTES + length
    if (this.#socket.writableLength > UNCOUNTED_BYTES) this.#shared.backlogs.note(this)
  }

  /** What is kept for the client: written and not yet read, or held back. */
  get unsentBytes(): number {
    const held = this.state.name === 'joining' ? this.state.heldBytes : 0
    return this.#socket.writableLength + held
  }

  /** Without a word, behind all the others that wait to be read: the client finds out, and resumes. */
  cutOff(): void {
    this.closed()
    this.#ws.terminate()
  }

  /** Resolves once the client has read most of what was sent, or is gone. A little may go out with what comes next. */
  async drained(): Promise<void> {
    if (!this.#socket.writableNeedDrain && lengthOf(this.#unflushed) < DROP_PASSING_BYTES) return
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

  /** Closes and reads no more: until a client answers the close frame, everything that it sends would be parsed. */
  closeFlood(): void {
    if (this.#ws.isPaused) return
    this.close(CloseCode.TooFastOrTooSlow, 'too many frames')
    this.#ws.pause()
  }

  /** Called when the socket is gone, whoever closed it. */
  closed(): void {
    this.state = { name: 'closed' }
    this.#unflushed = []
    this.#shared.backlogs.forget(this)
  }

  beat(): void {
    this.#heartbeatDue = performance.now() + HEARTBEAT_INTERVAL_MS + HEARTBEAT_GRACE_MS
    this.send(heartbeatAck)
  }

  /** Closes the connection of who is silent, has not said who they are, or has a session whose time is over. */
  closeIfDue({ monotonicMs, wallMs }: SweepTime): void {
    if (monotonicMs > this.#heartbeatDue) this.close(CloseCode.HeartbeatMissed, 'heartbeat missed')
    const isLate = this.state.name === 'waiting' && monotonicMs - this.state.since > IDENTIFY_TIMEOUT_MS
    if (isLate) this.close(CloseCode.NotIdentified, 'not identified in time')
    const isOver = this.caller?.kind === 'human' && wallMs >= this.caller.expiresAt
    if (isOver) this.close(CloseCode.SessionEnded, 'the session ended')
  }

  /** Counts a frame of the client. */
  mayCommand(): boolean {
    const now = performance.now()
    if (now > this.#commandsReset) {
      this.#commandsReset = now + COMMAND_WINDOW_MS
      this.#commandsLeft = MAX_COMMANDS
    }
    this.#commandsLeft -= 1
    return this.#commandsLeft >= 0
  }

  /** In one system call in either case. */
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

  #hold(state: Extract<ConnectionState, { name: 'joining' }>, told: Held): void {
    state.held.push(told)
    state.heldBytes += told.frame.plain.length
    this.#shared.backlogs.note(this)
    if (state.heldBytes > MAX_UNSENT_BYTES)
      this.close(CloseCode.TooFastOrTooSlow, 'too much happened meanwhile')
  }
}

/** All that was kept as it is, or what of it is still due. */
function framesDue({ frame, events }: Held, isDue: (event: Event) => boolean): Frame[] {
  const due = events.filter(isDue)
  return due.length === events.length ? [frame] : due.map(dispatchFrame)
}

const heartbeatAck = commandFrame(Opcode.HeartbeatAck)
