import type { VoiceState } from '@foyer/protocol/voice'

/** Maximum absence of a user whose stream is kept. A restart of the server takes less. */
const AWAY_MS = 60_000
/** Maximum time from the start of a user's new session until their client shares the screen again by itself. */
const BACK_MS = 10_000

/** A user in the room or call. */
export type StreamState = Pick<VoiceState, 'user_id' | 'session_id' | 'self_stream'>

interface Lost {
  /** The new session of the user; undefined while they are away. */
  readonly sessionId: string | undefined
  readonly until: number
}

/**
 * Distinguishes streams that have ended from those whose users lost the connection. A user who ends a stream keeps the session.
 * After a lost connection, on either side, the user gets a new session and shares again.
 */
export class LostStreams {
  /** By user id: the session in which the user shares a screen, or last shared one. */
  readonly #sessions = new Map<string, string>()
  /** Lost streams by user id. */
  readonly #lost = new Map<string, Lost>()

  /** Returns the watched streams that have not ended. */
  kept(streams: readonly string[], voices: readonly StreamState[], now: number): string[] {
    for (const { user_id, session_id, self_stream } of voices)
      if (self_stream) this.#sessions.set(user_id, session_id)
    for (const id of this.#lost.keys()) if (!streams.includes(id)) this.#lost.delete(id)
    const kept = streams.filter((id) => this.#isKept(id, voices, now))
    for (const id of this.#sessions.keys()) if (!isLive(id, voices) && !kept.includes(id)) this.#forget(id)
    return kept
  }

  #isKept(id: string, voices: readonly StreamState[], now: number): boolean {
    if (isLive(id, voices)) {
      this.#lost.delete(id)
      return true
    }
    const sessionId = voices.find(({ user_id }) => user_id === id)?.session_id
    const shared = this.#sessions.get(id)
    if (shared === undefined || shared === sessionId) return false
    const lost = this.#lost.get(id)
    const isSame = lost !== undefined && lost.sessionId === sessionId
    const next = isSame ? lost : { sessionId, until: now + (sessionId === undefined ? AWAY_MS : BACK_MS) }
    this.#lost.set(id, next)
    return now < next.until
  }

  #forget(id: string): void {
    this.#sessions.delete(id)
    this.#lost.delete(id)
  }
}

function isLive(id: string, voices: readonly StreamState[]): boolean {
  return voices.some(({ user_id, self_stream }) => user_id === id && self_stream)
}
