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
import type { UpdateVoiceState, VoiceOffer, VoiceSignal, VoiceWatch } from '@foyer/protocol/voice'
import { Commands, type FoundMembers } from './commands.ts'
import { Connection } from './connection.ts'
import { backoffMs } from './delay.ts'
import type { ClientFrame, Dispatch, FrameHandlers, ServerFrame, ServerOpcode } from './frames.ts'
import { defaultTimings, type GatewayOptions, type GatewayTimings } from './gateway-timings.ts'
import { formatIdentity } from './identity.ts'
import { Listeners } from './listeners.ts'
import { messagesOf, Position } from './position.ts'
import type { Credential, Credentials } from './rest.ts'
import { type AnyListener, type Listener, Subscribers } from './subscribers.ts'

export type GatewayState = 'idle' | 'connecting' | 'ready' | 'reconnecting' | 'closed'

/** The reason why the gateway does not reconnect by itself. */
export interface CloseReason {
  code: number
  final: true
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

/** The stream of events: connects, reconnects, resumes, and delivers every event once, except events that a replay repeats. */
export class Gateway {
  readonly #url: string
  readonly #credentials: Credentials
  readonly #timings: GatewayTimings
  readonly #subscribers = new Subscribers()
  readonly #states = new Listeners<[state: GatewayState, reason: CloseReason | null]>()
  readonly #errors = new Listeners<[error: GatewayError]>()
  readonly #voiceSignals = new Listeners<[signal: VoiceSignal]>()
  readonly #position = new Position()
  readonly #commands = new Commands((frame) => this.#send(frame))
  readonly #handlers: FrameHandlers<Link> = {
    [Opcode.Hello]: (frame, link) => this.#greet(frame.d.heartbeat_interval, link),
    [Opcode.HeartbeatAck]: (_frame, link) => this.#acknowledge(link),
    [Opcode.Dispatch]: (frame, link) => this.#dispatch(frame, link),
    [Opcode.VoiceSignal]: ({ d }) => this.#voiceSignals.notify(d),
    [Opcode.InvalidSession]: (_frame, link) => this.#identifyAnew(link),
    [Opcode.Reconnect]: (frame, link) => this.#comeBackLater(frame.d.after_ms, link),
    [Opcode.Error]: ({ d }) => this.#fail(d),
  }
  #phase: Phase = { name: 'idle' }
  #state: GatewayState = 'idle'
  #failures = 0
  #hasMended = false

  constructor(baseUrl: string, credentials: Credentials, { timings, capabilities }: GatewayOptions = {}) {
    const address = `${baseUrl.replace(/(?<!\/)\/+$/, '')}/gateway?v=${GATEWAY_VERSION}`
    this.#url = new URL(address).href.replace(/^http/, 'ws')
    this.#credentials = credentials
    this.#timings = { ...defaultTimings, ...timings }
    this.#commands.capabilities = capabilities
    this.#commands.follow(this.#subscribers)
  }

  get state(): GatewayState {
    return this.#state
  }

  /** Set while the state is `closed`. */
  get closeReason(): CloseReason | null {
    return this.#phase.name === 'closed' ? this.#phase.reason : null
  }

  /** Starts a new session, with a READY. Does nothing unless the state is `idle` or `closed`. */
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

  /** Ends the wait before a reconnect, or tests the connection. Call it when the network is back or the page visible again. */
  reconnectNow(): void {
    if (this.#phase.name === 'ready') this.#phase.link.connection.probe(this.#timings.probeTimeoutMs)
    if (this.#phase.name !== 'waiting') return
    this.#leave()
    this.#failures = 0
    void this.#open('reconnecting')
  }

  /** Sets the user's presence for this connection and all later ones. */
  setPresence(presence: UpdatePresence): void {
    this.#commands.setPresence(presence)
  }

  /**
   * Chooses the events of a space to receive. Replaces the previous subscription, and survives reconnects. Pass each
   * SPACE_MEMBER_LIST_UPDATE to a `MemberList`. The subscription to a room's member list ends with its ROOM_DELETE.
   */
  subscribe(subscription: Subscribe): void {
    this.#commands.subscribe(subscription)
  }

  /**
   * Requests members of a space, by the beginning of a name or by ids.
   * @throws GatewayCommandError with the reason; a reconnect only delays the answer
   */
  requestMembers(request: Omit<RequestMembers, 'nonce'>): Promise<FoundMembers> {
    return this.#commands.requestMembers(request)
  }

  /**
   * Requests a voice state for the user; dropped unless the state is `ready`. Apps use `Voice` instead, which does this and
   * all following steps.
   */
  sendVoiceState(state: UpdateVoiceState): void {
    this.#send({ op: Opcode.VoiceStateUpdate, d: state })
  }

  /** Sends a voice signal; dropped unless the state is `ready`. */
  sendVoiceSignal(signal: VoiceOffer | VoiceWatch): void {
    this.#send({ op: Opcode.VoiceSignal, d: signal })
  }

  /** Calls the listener with every voice signal to any of the user's clients; returns a function that stops it. */
  onVoiceSignal(listener: (signal: VoiceSignal) => void): () => void {
    return this.#voiceSignals.add(listener)
  }

  /** Calls the listener with failed commands that no caller waits for; returns a function that stops it. */
  onError(listener: (error: GatewayError) => void): () => void {
    return this.#errors.add(listener)
  }

  /** Calls the listener with every event of that name; returns a function that stops it. */
  on<N extends EventName>(name: N, listener: Listener<N>): () => void {
    return this.#subscribers.on(name, listener)
  }

  /** Calls the listener with every event, before the listeners for its name; returns a function that stops it. */
  onAny(listener: AnyListener): () => void {
    return this.#subscribers.onAny(listener)
  }

  /** Calls the listener with every new state; returns a function that stops it. */
  onState(listener: (state: GatewayState, reason: CloseReason | null) => void): () => void {
    return this.#states.add(listener)
  }

  #send(frame: ClientFrame): void {
    if (this.#phase.name === 'ready') this.#phase.link.connection.send(frame)
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
    const connection: Connection = new Connection({
      url: this.#url,
      helloTimeoutMs: this.#timings.helloTimeoutMs,
      position: () => this.#position.resumeFrom,
      onFrame: (frame) => this.#handle(frame, { connection, credential }),
      onLost: (code) => this.#lose(code, credential),
    })
    return { connection, credential }
  }

  #handle<O extends ServerOpcode>(frame: ServerFrame<O>, link: Link): void {
    // A newer server may send opcodes that this client does not know.
    const handler: FrameHandlers<Link>[O] | undefined = this.#handlers[frame.op]
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
    link.connection.send({ op: Opcode.Resume, d: { ...identity, s } })
  }

  #identify({ connection, credential }: Link): void {
    const identity = { ...formatIdentity(credential), ...this.#commands.introduce() }
    connection.send({ op: Opcode.Identify, d: identity })
  }

  #identifyAnew(link: Link): void {
    this.#position.restart()
    this.#enter({ name: 'greeting', link }, 'reconnecting')
    this.#identify(link)
  }

  /** Resets the failures at an acknowledged heartbeat, not at READY: connections lost right after READY must still back off. */
  #acknowledge({ connection }: Link): void {
    connection.acknowledge()
    this.#failures = 0
  }

  #dispatch(frame: Dispatch, link: Link): void {
    if (frame.t === 'READY' || frame.t === 'RESUMED') this.#becomeReady(frame, link)
    else if (frame.s !== undefined && !this.#position.accept(frame.s, messagesOf(frame))) return
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

  /**
   * Reacts to a refused token: it may have expired during the outage, so it is refreshed once before the refusal is final.
   */
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
    this.#wait(backoffMs(this.#failures, this.#timings))
    this.#failures += 1
  }

  #wait(ms: number): void {
    const timer = setTimeout(() => void this.#open('reconnecting'), ms)
    this.#enter({ name: 'waiting', timer }, 'reconnecting')
  }

  #fail(error: GatewayError): void {
    if (!this.#commands.fail(error)) this.#errors.notify(error)
  }

  #end(code: number): void {
    this.#commands.end()
    this.#enter({ name: 'closed', reason: { code, final: true } }, 'closed')
  }

  /** Closes the connection, or clears the timer, of the current phase. */
  #leave(): void {
    if ('link' in this.#phase) this.#phase.link.connection.close()
    if (this.#phase.name === 'waiting') clearTimeout(this.#phase.timer)
  }

  #enter(phase: Phase, state: GatewayState): Phase {
    this.#phase = phase
    if (state === this.#state) return phase
    this.#state = state
    this.#states.notify(state, this.closeReason)
    return phase
  }
}
