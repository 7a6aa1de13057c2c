import type { EventName } from '@foyer/protocol/events'
import {
  CloseCode,
  FINAL_CLOSE_CODES,
  GATEWAY_VERSION,
  type GatewayError,
  Opcode,
} from '@foyer/protocol/gateway'
import type { RequestMembers, Subscribe } from '@foyer/protocol/members'
import type { UpdatePresence } from '@foyer/protocol/presence'
import { Commands, type FoundMembers } from './commands.ts'
import { Connection } from './connection.ts'
import { type Backoff, backoffMs } from './delay.ts'
import type { Dispatch, ServerFrame, ServerOpcode } from './frames.ts'
import { formatIdentity } from './identity.ts'
import { Position } from './position.ts'
import type { Credential, Credentials } from './rest.ts'
import { type AnyListener, isolate, type Listener, Subscribers } from './subscribers.ts'

export type GatewayState = 'idle' | 'connecting' | 'ready' | 'reconnecting' | 'closed'

/** Why the gateway will not come back by itself. */
export interface CloseReason {
  code: number
  final: true
}

export type ErrorListener = (error: GatewayError) => void

export type StateListener = (state: GatewayState, reason: CloseReason | null) => void

export interface GatewayTimings extends Backoff {
  /** How long the server may take to greet a new connection. */
  helloTimeoutMs: number
  /** How long it may take to answer `reconnectNow` on a connection that looks alive. */
  probeTimeoutMs: number
}

const defaultTimings: GatewayTimings = {
  baseDelayMs: 500,
  maxDelayMs: 30_000,
  helloTimeoutMs: 15_000,
  probeTimeoutMs: 5_000,
}

interface Link {
  connection: Connection
  credential: Credential
}

type Phase =
  | { name: 'idle' }
  | { name: 'authorizing' }
  | { name: 'greeting'; link: Link }
  | { name: 'ready'; link: Link }
  | { name: 'waiting'; timer: ReturnType<typeof setTimeout> }
  | { name: 'closed'; reason: CloseReason }

type FrameHandlers = { [O in ServerOpcode]: (frame: ServerFrame<O>, link: Link) => void }

/** The stream of events: connects, stays connected, resumes, and hands every event on once. */
export class Gateway {
  readonly #url: string
  readonly #credentials: Credentials
  readonly #timings: GatewayTimings
  readonly #subscribers = new Subscribers()
  readonly #stateListeners = new Set<StateListener>()
  readonly #position = new Position()
  readonly #errorListeners = new Set<ErrorListener>()
  readonly #commands = new Commands((op, d) => {
    if (this.#phase.name === 'ready') this.#phase.link.connection.send(op, d)
  })
  readonly #handlers: FrameHandlers = {
    [Opcode.Hello]: (frame, link) => this.#greet(frame.d.heartbeat_interval, link),
    [Opcode.HeartbeatAck]: (_frame, link) => this.#acknowledge(link),
    [Opcode.Dispatch]: (frame, link) => this.#dispatch(frame, link),
    [Opcode.InvalidSession]: (_frame, link) => this.#identifyAnew(link),
    [Opcode.Reconnect]: (frame, link) => this.#comeBackLater(frame.d.after_ms, link),
    [Opcode.Error]: ({ d }) => this.#fail(d),
  }
  #phase: Phase = { name: 'idle' }
  #state: GatewayState = 'idle'
  #failures = 0
  #hasMended = false

  constructor(baseUrl: string, credentials: Credentials, timings: Partial<GatewayTimings> = {}) {
    const address = `${baseUrl.replace(/\/+$/, '')}/gateway?v=${GATEWAY_VERSION}`
    this.#url = new URL(address).href.replace(/^http/, 'ws')
    this.#credentials = credentials
    this.#timings = { ...defaultTimings, ...timings }
    this.on('SPACE_MEMBERS_CHUNK', (chunk) => this.#commands.collect(chunk))
    this.on('SPACE_DELETE', ({ space_id }) => this.#commands.forgetSpace(space_id))
  }

  get state(): GatewayState {
    return this.#state
  }

  /** Set while the state is `closed`. */
  get closeReason(): CloseReason | null {
    return this.#phase.name === 'closed' ? this.#phase.reason : null
  }

  /** Starts afresh, with a READY; nothing when it is under way already. */
  connect(): void {
    if (this.#phase.name !== 'idle' && this.#phase.name !== 'closed') return
    this.#position.restart()
    this.#failures = 0
    this.#hasMended = false
    void this.#open('connecting')
  }

  close(): void {
    this.#commands.end()
    this.#leave()
    this.#enter({ name: 'idle' }, 'idle')
  }

  /** For when the network is back or the page is shown again: ends the wait, or finds out whether the connection lives. */
  reconnectNow(): void {
    if (this.#phase.name === 'ready') this.#phase.link.connection.probe(this.#timings.probeTimeoutMs)
    if (this.#phase.name !== 'waiting') return
    this.#leave()
    this.#failures = 0
    void this.#open('reconnecting')
  }

  /** How the user is to be seen from now on, on every connection that comes. */
  setPresence(presence: UpdatePresence): void {
    this.#commands.setPresence(presence)
  }

  /**
   * What to hear of a space from now on, in place of what was asked for before, also after a reconnect. The list of members
   * comes as SPACE_MEMBER_LIST_UPDATE, which `MemberList` takes.
   */
  subscribe(subscription: Subscribe): void {
    this.#commands.subscribe(subscription)
  }

  /**
   * Asks for members of a space, by the beginning of a name or by ids.
   * @throws GatewayCommandError that says why not; a connection that is lost meanwhile only delays the answer
   */
  requestMembers(request: Omit<RequestMembers, 'nonce'>): Promise<FoundMembers> {
    return this.#commands.requestMembers(request)
  }

  /** Calls the listener with what failed of commands for whose answer nobody waits. @returns what ends it */
  onError(listener: ErrorListener): () => void {
    this.#errorListeners.add(listener)
    return () => this.#errorListeners.delete(listener)
  }

  /** Calls the listener with every event of that name. @returns what ends it */
  on<N extends EventName>(name: N, listener: Listener<N>): () => void {
    return this.#subscribers.on(name, listener)
  }

  /** Calls the listener with every event, before those that asked for its name. @returns what ends it */
  onAny(listener: AnyListener): () => void {
    return this.#subscribers.onAny(listener)
  }

  /** Calls the listener with every new state. @returns what ends it */
  onState(listener: StateListener): () => void {
    this.#stateListeners.add(listener)
    return () => this.#stateListeners.delete(listener)
  }

  async #open(state: 'connecting' | 'reconnecting'): Promise<void> {
    const phase = this.#enter({ name: 'authorizing' }, state)
    const credential = await this.#credentials.current().catch(() => 'unknown' as const)
    if (this.#phase !== phase) return
    if (credential === 'unknown') this.#backOff()
    else if (credential === null) this.#end(CloseCode.CredentialRefused)
    else this.#enter({ name: 'greeting', link: this.#link(credential) }, state)
  }

  #link(credential: Credential): Link {
    const connection = new Connection({
      url: this.#url,
      helloTimeoutMs: this.#timings.helloTimeoutMs,
      position: () => this.#position.resumeFrom,
      onFrame: (frame) => this.#handle(frame, link),
      onLost: (code) => this.#lose(code, credential),
    })
    const link = { connection, credential }
    return link
  }

  #handle<O extends ServerOpcode>(frame: ServerFrame<O>, link: Link): void {
    // A newer server may send what this client does not know.
    const handler: FrameHandlers[O] | undefined = this.#handlers[frame.op]
    handler?.(frame, link)
  }

  #greet(heartbeatMs: number, link: Link): void {
    link.connection.startHeartbeat(heartbeatMs)
    const s = this.#position.resumeFrom
    if (s === null) {
      this.#identify(link)
      return
    }
    this.#position.beginReplay()
    const identity = { ...formatIdentity(link.credential), ...this.#commands.introduce() }
    link.connection.send(Opcode.Resume, { ...identity, s })
  }

  #identify({ connection, credential }: Link): void {
    connection.send(Opcode.Identify, { ...formatIdentity(credential), ...this.#commands.introduce() })
  }

  #identifyAnew(link: Link): void {
    this.#position.restart()
    this.#enter({ name: 'greeting', link }, 'reconnecting')
    this.#identify(link)
  }

  /** Only a connection that lasts forgets the failures: one that is dropped right after READY must not come back at once, for ever. */
  #acknowledge({ connection }: Link): void {
    connection.acknowledge()
    this.#failures = 0
  }

  #dispatch(frame: Dispatch, link: Link): void {
    if (frame.t === 'READY' || frame.t === 'RESUMED') this.#becomeReady(frame, link)
    else if (frame.s !== undefined && !this.#position.accept(frame.s)) return
    this.#subscribers.emit(frame)
  }

  #becomeReady({ s }: Dispatch, link: Link): void {
    this.#position.endReplay()
    if (s !== undefined) this.#position.advance(s)
    this.#hasMended = false
    this.#enter({ name: 'ready', link }, 'ready')
    this.#commands.repeat()
  }

  #comeBackLater(afterMs: number, { connection }: Link): void {
    connection.close()
    this.#wait(afterMs)
  }

  #lose(code: number, credential: Credential): void {
    const mayMend = code === CloseCode.CredentialRefused && !this.#hasMended
    if (mayMend) void this.#mend(credential)
    else if (FINAL_CLOSE_CODES.includes(code)) this.#end(code)
    else this.#backOff()
  }

  /** The access token may have expired while the connection was away: one refresh before it is taken for final. */
  async #mend(refused: Credential): Promise<void> {
    const phase = this.#enter({ name: 'authorizing' }, 'reconnecting')
    const mended = await this.#credentials.mend(refused).catch(() => 'unknown' as const)
    if (this.#phase !== phase) return
    this.#hasMended = mended !== 'unknown'
    if (mended === 'unknown') this.#backOff()
    else if (mended) void this.#open('reconnecting')
    else this.#end(CloseCode.CredentialRefused)
  }

  #backOff(): void {
    const afterMs = backoffMs(this.#failures, this.#timings)
    this.#failures += 1
    this.#wait(afterMs)
  }

  #wait(ms: number): void {
    const timer = setTimeout(() => void this.#open('reconnecting'), ms)
    this.#enter({ name: 'waiting', timer }, 'reconnecting')
  }

  #fail(error: GatewayError): void {
    if (this.#commands.fail(error)) return
    for (const listener of this.#errorListeners) isolate(() => listener(error))
  }

  #end(code: number): void {
    this.#commands.end()
    this.#enter({ name: 'closed', reason: { code, final: true } }, 'closed')
  }

  /** Ends what the present phase has under way. */
  #leave(): void {
    if ('link' in this.#phase) this.#phase.link.connection.close()
    if (this.#phase.name === 'waiting') clearTimeout(this.#phase.timer)
  }

  #enter(phase: Phase, state: GatewayState): Phase {
    this.#phase = phase
    if (state === this.#state) return phase
    this.#state = state
    const reason = this.closeReason
    for (const listener of this.#stateListeners) isolate(() => listener(state, reason))
    return phase
  }
}
