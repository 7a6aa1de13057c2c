import type { EventName, Events } from '@foyer/protocol/events'
import { CloseCode, Opcode } from '@foyer/protocol/gateway'
import { type ClientFrame, parseFrame, type ServerFrame } from '@foyer/sdk/frames'
import type { GatewaySocket, SocketEvents } from '@foyer/sdk/line'
import { reduceEvent } from '#src/store/reducers.ts'
import { sampleReady } from '#src/store/samples.ts'
import { initialState, type State } from '#src/store/state.ts'
import { readyOf } from './snapshot.ts'

const OVERLAP_MS = 15_000

interface Told {
  readonly s: string
  readonly timeMs: number
  readonly frame: ServerFrame
}

/** For tests: a connection to the server, whose frames arrive when `deliver` is called. */
export class FakeConnection {
  readonly received: ClientFrame[] = []
  isOpen = true
  isReady = false
  readonly #events: SocketEvents
  readonly #pending: (ServerFrame | number)[] = []

  constructor(events: SocketEvents) {
    this.#events = events
  }

  push(frame: ServerFrame): void {
    this.#pending.push(structuredClone(frame))
  }

  /** It breaks, after what is on its way. */
  break(code: number = CloseCode.Unknown): void {
    if (this.isOpen) this.#pending.push(code)
    this.isOpen = false
    this.isReady = false
  }

  get isWaiting(): boolean {
    return this.#pending.length > 0
  }

  deliver(): void {
    const next = this.#pending.shift()
    if (typeof next === 'number') this.#events.lost(next)
    else if (next !== undefined) this.#events.receive(next)
  }
}

/** For tests: the server's side of the gateway, in memory, with a state that every client should come to. */
export class FakeServer {
  readonly connections: FakeConnection[] = []
  identified = 0
  resumed = 0
  state: State = reduceEvent(initialState, 'READY', sampleReady(), 0)
  readonly #journal: Told[] = []
  #timeMs = 1_700_000_000_000
  #count = 0

  get open(): FakeConnection[] {
    return this.connections.filter(({ isOpen }) => isOpen)
  }

  connect(events: SocketEvents): { connection: FakeConnection; socket: GatewaySocket } {
    const connection = new FakeConnection(events)
    this.connections.push(connection)
    connection.push({ op: Opcode.Hello, d: { heartbeat_interval: 40_000, resume_window_ms: 0 } })
    const close = () => {
      connection.isOpen = false
      connection.isReady = false
    }
    return { connection, socket: { send: (frame) => this.#take(connection, frame), close } }
  }

  /** Something happens. @param agoMs how far it comes behind others in the journal's order */
  publish<N extends EventName>(t: N, d: Events[N], agoMs = 0): void {
    this.#count += 1
    const timeMs = this.#timeMs - agoMs
    const s = idAt(timeMs, this.#count)
    this.state = reduceEvent(this.state, t, d, 0)
    const frame = frameOf({ t, d, s })
    this.#journal.push({ s, timeMs, frame })
    this.#tell(frame)
  }

  /** The same without a trace. */
  pass<N extends EventName>(t: N, d: Events[N]): void {
    this.state = reduceEvent(this.state, t, d, 0)
    this.#tell(frameOf({ t, d }))
  }

  sleep(ms: number): void {
    this.#timeMs += ms
  }

  #tell(frame: ServerFrame): void {
    for (const connection of this.connections) if (connection.isReady) connection.push(frame)
  }

  #take(connection: FakeConnection, frame: ClientFrame): void {
    if (!connection.isOpen) return
    connection.received.push(frame)
    if (frame.op === Opcode.Heartbeat) connection.push({ op: Opcode.HeartbeatAck })
    else if (frame.op === Opcode.Identify) this.#identify(connection)
    else if (frame.op === Opcode.Resume) this.#resume(connection, frame.d.s)
    else if (frame.op === Opcode.RequestMembers) this.#findMembers(connection, frame.d.nonce ?? '')
  }

  #identify(connection: FakeConnection): void {
    this.identified += 1
    const { ice_servers, session_id, server } = sampleReady()
    const ready = readyOf(this.state, { ice_servers, session_id, server })
    if (ready === undefined) throw new Error('the server has no state')
    // Nothing that is part of this READY is replayed after it, as the real one may for a while: that is no matter of tabs.
    this.sleep(2 * OVERLAP_MS)
    connection.push({ op: Opcode.Dispatch, t: 'READY', d: ready, s: idAt(this.#timeMs, 0) })
    connection.isReady = true
  }

  /** As the real one: from a while before the place on, in the journal's order. */
  #resume(connection: FakeConnection, place: string): void {
    this.resumed += 1
    const from = Number.parseInt(place.slice(0, 8) + place.slice(9, 13), 16) - OVERLAP_MS
    const missed = this.#journal.filter(({ timeMs }) => timeMs >= from)
    for (const { frame } of missed.sort((a, b) => (a.s < b.s ? -1 : 1))) connection.push(frame)
    const presences = Object.values(this.state.presences)
    connection.push({ op: Opcode.Dispatch, t: 'RESUMED', d: { replayed: missed.length, presences } })
    connection.isReady = true
  }

  #findMembers(connection: FakeConnection, nonce: string): void {
    const found = { members: [], presences: [], not_found: [] }
    const d = { space_id: 'space', ...found, chunk_index: 0, chunk_count: 1, nonce }
    connection.push({ op: Opcode.Dispatch, t: 'SPACE_MEMBERS_CHUNK', d })
  }
}

/** As it comes over the wire. */
function frameOf(event: { t: EventName; d: unknown; s?: string }): ServerFrame {
  const frame = parseFrame(JSON.stringify({ op: Opcode.Dispatch, ...event }))
  if (frame === undefined) throw new Error('a frame cannot be read')
  return frame
}

function idAt(timeMs: number, count: number): string {
  const time = timeMs.toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${count.toString(16).padStart(12, '0')}`
}
