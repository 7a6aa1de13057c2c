import type { Ready } from '@foyer/protocol/events'
import type { GatewayError } from '@foyer/protocol/gateway'
import type { VoiceEndReason, VoiceSignal, VoiceState } from '@foyer/protocol/voice'
import type { GatewayState } from '../gateway.ts'
import { Listeners } from '../listeners.ts'
import { Attempts } from './attempts.ts'
import { type JoinRequest, makeJoinRequest, phaseOf, type Session, type State } from './connection-state.ts'
import { type DriverEvents, deliver, type MediaDriver, type OpenDriver } from './driver.ts'
import { type Reaction, reactionToEnd, reactionToRefusal, type Setback } from './failures.ts'
import { OwnFlags } from './own-flags.ts'
import { isSamePlace, placeOf, targetOf } from './place.ts'
import { SessionWatch } from './session-watch.ts'
import {
  VoiceError,
  type VoiceFailure,
  type VoiceSelf,
  type VoiceStatus,
  type VoiceTarget,
} from './status.ts'
import { VoiceCommands, type VoiceGateway } from './voice-commands.ts'
import type { VoiceTimings } from './voice-timings.ts'

const NOBODY: ReadonlySet<string> = new Set()

type Grant = Extract<VoiceSignal, { kind: 'grant' }>

export interface VoiceConnectionDeps<Driver extends MediaDriver> {
  readonly gateway: VoiceGateway
  readonly timings: VoiceTimings
  readonly open: OpenDriver<Driver>
}

/** Keeps the user in their chosen channel across failures of processes and networks, until they leave. */
export class VoiceConnection<Driver extends MediaDriver> {
  readonly flags: OwnFlags
  readonly #deps: VoiceConnectionDeps<Driver>
  readonly #statuses = new Listeners<[status: VoiceStatus]>()
  readonly #commands: VoiceCommands
  readonly #attempts: Attempts
  readonly #watch: SessionWatch
  readonly #ends: readonly (() => void)[]
  #state: State<Driver> = { name: 'idle' }
  #request: JoinRequest | undefined
  #place: VoiceStatus['place']
  #speaking = NOBODY
  #wasConnected = false

  constructor(deps: VoiceConnectionDeps<Driver>) {
    const { gateway, timings } = deps
    this.#deps = deps
    this.#commands = new VoiceCommands(gateway)
    this.#attempts = new Attempts(timings)
    this.flags = new OwnFlags(() => this.#sendSelf(), timings.selfIntervalMs)
    this.#watch = new SessionWatch(
      { end: (reason) => this.#endWith(reason), place: (state) => this.#settleIn(state) },
      timings.reasonTimeoutMs,
    )
    this.#ends = [
      this.flags.onRefusal(() => this.#statuses.notify(this.status)),
      gateway.onState((state) => this.#handleGateway(state)),
      gateway.onError((error) => this.#handleError(error)),
      gateway.onVoiceSignal((signal) => this.#handleSignal(signal)),
      gateway.on('READY', (ready) => this.#goOn(ready)),
      gateway.on('RESUMED', () => this.#goOn()),
      gateway.on('VOICE_STATE_UPDATE', (state) => this.#watch.handle(state, gateway.state === 'ready')),
      gateway.on('VOICE_SPEAKING', ({ room_id, conversation_id, user_ids }) => {
        const isHere = room_id === this.#place?.room_id && conversation_id === this.#place.conversation_id
        if (isHere) this.setSpeaking(user_ids)
      }),
    ]
  }

  get status(): VoiceStatus {
    const state = this.#state
    return {
      phase: phaseOf(state.name, this.#wasConnected),
      place: this.#place,
      sessionId: this.#session?.sessionId,
      reason: state.name === 'failed' ? state.reason : undefined,
      ...this.flags.status,
      hasVideo: this.driver?.hasVideo ?? false,
      speaking: this.#speaking,
    }
  }

  /** The driver of the current session, from its grant on. */
  get driver(): Driver | undefined {
    return this.#session?.driver
  }

  onStatus(listener: (status: VoiceStatus) => void): () => void {
    return this.#statuses.add(listener)
  }

  /** Resolves when media flows. Joining the current channel again only updates the flags. Rejects with a VoiceError. */
  join(target: VoiceTarget, self: VoiceSelf): Promise<void> {
    if (this.#request !== undefined && isSamePlace(this.#request.target, target)) {
      this.setSelf(self)
      return this.#request.done.promise
    }
    this.#giveUp(new VoiceError('left'))
    this.flags.change(self)
    const request = makeJoinRequest(target)
    this.#request = request
    this.#place = placeOf(target, null)
    this.#ask()
    return request.done.promise
  }

  leave(): void {
    this.#commands.leave(this.#watch.sessionId)
    this.#giveUp(new VoiceError('left'))
    this.#place = undefined
    this.#enter({ name: 'idle' })
  }

  setSelf(self: VoiceSelf): void {
    if (!this.flags.change(self)) return
    this.flags.notify()
    this.#statuses.notify(this.status)
  }

  /** Ignores reports that arrive while there is no media. */
  setSpeaking(userIds: readonly string[]): void {
    if (this.#state.name !== 'connected') return
    this.#speaking = new Set(userIds)
    this.#statuses.notify(this.status)
  }

  /** Reconnects after a network change, without waiting until the old connection times out. */
  renew(): void {
    if (this.driver?.mendsItself === false) this.#ask()
  }

  /** Leaves and removes all listeners. */
  close(): void {
    this.leave()
    this.flags.close()
    for (const end of this.#ends) end()
  }

  get #session(): Session<Driver> | undefined {
    return 'driver' in this.#state ? this.#state : undefined
  }

  #ask(): void {
    this.#drop()
    if (this.#request === undefined) return
    if (this.#deps.gateway.state !== 'ready') return this.#enter({ name: 'waiting', timer: undefined })
    const lost = this.#watch.sessionId
    this.#watch.forget()
    const nonce = this.#commands.join(this.#request.target, this.flags.ofJoin(), lost)
    const timer = setTimeout(() => this.#retry('refused'), this.#deps.timings.grantTimeoutMs)
    this.#enter({ name: 'asking', nonce, askedAt: performance.now(), timer })
  }

  #handleSignal(signal: VoiceSignal): void {
    if (signal.kind === 'grant') return this.#take(signal)
    if (signal.session_id !== this.#watch.sessionId) return
    if (signal.kind === 'end') this.#endWith(signal.reason)
    else if (this.driver !== undefined) deliver(signal, this.driver)
  }

  /** Handles a grant: the answer to the last request, or a renewal for the current session. */
  #take({ session_id: sessionId, grant, nonce }: Grant): void {
    const isAnswer = this.#state.name === 'asking' && nonce === this.#state.nonce
    if (!isAnswer && sessionId !== this.#watch.sessionId) return
    this.#drop()
    this.#watch.begin(sessionId)
    try {
      const driver: Driver = this.#deps.open(
        grant,
        this.#eventsOf(sessionId, () => this.driver === driver),
      )
      const timer = setTimeout(() => this.#retry('unreachable'), this.#deps.timings.mediaTimeoutMs)
      this.#enter({ name: 'connecting', sessionId, driver, timer })
      this.flags.catchUp()
    } catch {
      this.#fail('unavailable')
    }
  }

  #eventsOf(sessionId: string, isCurrent: () => boolean): DriverEvents {
    const ifCurrent = (act: () => void) => isCurrent() && act()
    return {
      offer: (sdp) => ifCurrent(() => this.#commands.offer(sessionId, sdp)),
      watch: (watched) => ifCurrent(() => this.#commands.watch(sessionId, watched)),
      up: () => ifCurrent(() => this.#comeUp()),
      lost: () => ifCurrent(() => this.#retry(this.#state.name === 'connected' ? 'lost' : 'unreachable')),
      fail: (reason) => ifCurrent(() => this.#fail(reason)),
    }
  }

  #comeUp(): void {
    if (this.#state.name !== 'connecting') return
    const { sessionId, driver, timer } = this.#state
    clearTimeout(timer)
    this.#wasConnected = true
    const steady = setTimeout(() => this.#attempts.forget(), this.#deps.timings.steadyMs)
    this.#enter({ name: 'connected', sessionId, driver, timer: steady })
    this.#request?.done.resolve()
  }

  #endWith(reason: VoiceEndReason): void {
    this.#commands.forget()
    this.#watch.forget()
    const reaction = reactionToEnd[reason]
    // Without a session, media was lost before, and the next attempt is already scheduled.
    if ('reason' in reaction || this.#session !== undefined) this.#react(reaction)
  }

  /**
   * Applies the session's channel and flags from the server, because the user may have been moved. Does not notify listeners while
   * idle, because entering the next state notifies them.
   */
  #settleIn(state: VoiceState): void {
    const target = targetOf(state)
    if (target === undefined || this.#request === undefined) return
    this.#request.target = target
    this.#place = placeOf(target, state.space_id)
    this.flags.confirm(state)
    if (this.#state.name !== 'idle') this.#statuses.notify(this.status)
  }

  #handleError(error: GatewayError): void {
    const isOfJoin = this.#state.name === 'asking' && error.nonce === this.#state.nonce
    const isOfOffer =
      this.#state.name === 'connecting' && this.#commands.isOfOffer(error, this.#state.sessionId)
    if (isOfJoin) this.#commands.forget()
    if (isOfJoin || isOfOffer) this.#react(reactionToRefusal(error.code), error.code)
    else if (!this.#commands.isOfSelf(error)) return
    else if (error.code === 'unknown_voice_session') this.#watch.doubt()
    else this.flags.refuse(error.code)
  }

  #handleGateway(state: GatewayState): void {
    if (this.#request !== undefined && state === 'closed') this.#fail('session_ended')
    if (this.#request !== undefined && state === 'idle') this.leave()
  }

  /** Runs after a gateway reconnect. Requests and signals may be lost, but media is unaffected. */
  #goOn(ready?: Ready): void {
    if (ready !== undefined) this.#watch.userId = ready.user.id
    if (this.#request === undefined) return
    const found = this.#watch.stateAfter(ready)
    if (found === 'elsewhere') return this.#endWith('taken_over')
    const isPausing = this.#state.name === 'waiting' && this.#state.timer !== undefined
    if (found === 'here' && this.#state.name === 'connected') this.flags.notify()
    else if (!isPausing) this.#ask()
  }

  #react(reaction: Reaction, code?: string): void {
    if ('reason' in reaction) this.#fail(reaction.reason, code)
    else this.#retry(reaction.setback, code)
  }

  #retry(setback: Setback, code?: string): void {
    const waitedMs = this.#state.name === 'asking' ? performance.now() - this.#state.askedAt : 0
    const next = this.#attempts.next(setback, waitedMs)
    if ('reason' in next) return this.#fail(next.reason, code)
    this.#drop()
    this.#enter({ name: 'waiting', timer: setTimeout(() => this.#ask(), next.afterMs) })
  }

  #fail(reason: VoiceFailure, code?: string): void {
    this.#commands.leave(this.#watch.sessionId)
    this.#giveUp(new VoiceError(reason, code))
    this.#enter({ name: 'failed', reason })
  }

  #giveUp(error: VoiceError): void {
    this.#drop()
    this.#watch.forget()
    this.#request?.done.reject(error)
    this.#request = undefined
    this.#wasConnected = false
    this.flags.endPictures()
    this.#attempts.forget()
  }

  /** Ends the current state: clears its timer, and closes its driver. */
  #drop(): void {
    const state = this.#state
    this.#state = { name: 'idle' }
    this.#speaking = NOBODY
    if ('timer' in state) clearTimeout(state.timer)
    if ('driver' in state) state.driver.close()
  }

  #sendSelf(): void {
    const { sessionId } = this.#session ?? {}
    if (this.#request === undefined || sessionId === undefined) return
    this.#commands.sendSelf(this.#request.target, this.flags.ofChange(), sessionId)
  }

  #enter(state: State<Driver>): void {
    this.#state = state
    this.#statuses.notify(this.status)
  }
}
