import type { Ready } from '@foyer/protocol/events'
import type { VoiceEndReason, VoiceState } from '@foyer/protocol/voice'
import { targetOf } from './place.ts'

/** Maximum voice states remembered without a session. A session's first event arrives before its grant. */
const MAX_EARLY = 50

export interface SessionWatchEvents {
  /** Called when the session has ended but its signal was lost. */
  end(reason: VoiceEndReason): void
  /** Called with the session's current state on the server, which names its channel. */
  place(state: VoiceState): void
}

/** Follows the session through events, which, unlike signals, are never lost. */
export class SessionWatch {
  /** The user of the session, once known. */
  userId: string | undefined
  readonly #events: SessionWatchEvents
  readonly #reasonTimeoutMs: number
  readonly #early = new Map<string, VoiceState>()
  #sessionId: string | undefined
  #doubt: ReturnType<typeof setTimeout> | undefined
  #isElsewhere = false

  constructor(events: SessionWatchEvents, reasonTimeoutMs: number) {
    this.#events = events
    this.#reasonTimeoutMs = reasonTimeoutMs
  }

  get sessionId(): string | undefined {
    return this.#sessionId
  }

  begin(sessionId: string): void {
    this.forget()
    this.#sessionId = sessionId
    const early = this.#early.get(sessionId)
    this.#early.clear()
    if (early !== undefined) this.handle(early, true)
  }

  forget(): void {
    this.trust()
    this.#sessionId = undefined
  }

  /**
   * Handles a VOICE_STATE_UPDATE of any user.
   * @param isLive false for backfilled events, where one state replaces all earlier ones
   */
  handle(state: VoiceState, isLive: boolean): void {
    const isSomewhere = targetOf(state) !== undefined
    if (state.session_id === this.#sessionId) this.#handleOwn(state, isSomewhere)
    else if (isSomewhere) this.#handleOther(state, isLive)
  }

  /** Called on signs that the session has ended. Waits for the end signal, which has the reason. */
  doubt(): void {
    this.#doubt ??= setTimeout(() => this.#end(), this.#reasonTimeoutMs)
  }

  trust(): void {
    clearTimeout(this.#doubt)
    this.#doubt = undefined
    this.#isElsewhere = false
  }

  /**
   * Returns the state of the session after the gateway reconnected.
   * @param ready the new READY; undefined if the gateway has resumed
   */
  stateAfter(ready?: Ready): 'here' | 'gone' | 'elsewhere' {
    if (this.#sessionId === undefined) return 'gone'
    if (ready !== undefined) return this.#stateIn(ready)
    if (this.#isElsewhere) return 'elsewhere'
    return this.#doubt === undefined ? 'here' : 'gone'
  }

  #handleOwn(state: VoiceState, isSomewhere: boolean): void {
    this.userId = state.user_id
    if (!isSomewhere) return this.doubt()
    this.trust()
    this.#events.place(state)
  }

  /**
   * Handles a state of another session. If live, the event may be a late one about an earlier session, so it proves
   * nothing on its own.
   */
  #handleOther(state: VoiceState, isLive: boolean): void {
    const isDecisive = !isLive || this.#doubt !== undefined
    if (isDecisive && state.user_id === this.userId) this.#isElsewhere = true
    if (this.#sessionId !== undefined) return
    this.#early.set(state.session_id, state)
    const [oldest] = this.#early.keys()
    if (this.#early.size > MAX_EARLY && oldest !== undefined) this.#early.delete(oldest)
  }

  #stateIn({ user, spaces, voice_states }: Ready): 'here' | 'gone' | 'elsewhere' {
    const states = [...voice_states, ...spaces.flatMap((space) => space.voice_states)]
    const own = states.find(({ user_id }) => user_id === user.id)
    if (own === undefined) return 'gone'
    if (own.session_id !== this.#sessionId) return 'elsewhere'
    this.#events.place(own)
    return 'here'
  }

  #end(): void {
    this.#doubt = undefined
    this.#events.end(this.#isElsewhere ? 'taken_over' : 'failed')
  }
}
