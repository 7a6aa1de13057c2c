import type { VoiceEndReason, VoiceGrant } from '@foyer/protocol/voice'
import type { Place } from '#src/channels/place.ts'

/** One user in one room or call, from the join on until it ends. */
export interface VoiceSession {
  readonly id: string
  readonly userId: string
  readonly place: Place
  /** The login that joined, or the bot: its end ends the session. */
  readonly loginId: string
}

/** Whose media is forwarded, and who gets any: held in the media path, whatever a client sends. */
export interface MediaRights {
  readonly canSpeak: boolean
  readonly canHear: boolean
}

/** Who is heard in which slot of a session; undefined for a free one. */
export interface SlotChange {
  readonly slot: number
  readonly userId: string | undefined
}

/** What an engine tells. These are hints: membership and permissions are the server's. */
export interface VoiceEvents {
  /** Media flows. */
  joined: { sessionId: string }
  /** The client is gone, or its media never came. */
  left: { sessionId: string; reason: 'left' | 'unreachable' }
  /** All who speak in a place now. */
  speaking: { place: Place; userIds: readonly string[] }
  slots: { sessionId: string; slots: readonly SlotChange[] }
  /** The process that carried these sessions is gone: each needs a new grant. */
  nodeLost: { sessionIds: readonly string[] }
}

export interface EngineStats {
  readonly processes: number
  readonly rooms: number
  readonly sessions: number
  readonly packetsForwarded: number
  /** Those that were over a publisher's limits, or none of ours. */
  readonly packetsDropped: number
}

/** Carries media. The server owns who is where and who may what; the engine does as it is told, at once. */
export interface VoiceEngine {
  /**
   * Lets the session send and receive, by one offer that is yet to come, or by the engine's own means. Joining a session that
   * is there already makes a new grant for it.
   * @throws ApiError voice_unavailable
   */
  join(session: VoiceSession, rights: MediaRights): Promise<VoiceGrant>
  /**
   * @param offer SDP
   * @returns the answer, as SDP
   * @throws ApiError invalid_offer, unknown_voice_session, voice_unavailable
   */
  signal(sessionId: string, offer: string): Promise<string>
  /** Resolves when the media path obeys. Nothing for a session that is not there. */
  setRights(sessionId: string, rights: MediaRights): Promise<void>
  /** The same. */
  kick(sessionId: string, reason: VoiceEndReason): Promise<void>
  closeRoom(place: Place): Promise<void>
  on<Name extends keyof VoiceEvents>(name: Name, listener: (event: VoiceEvents[Name]) => void): void
  stats(): Promise<EngineStats>
  /** Ends all sessions and whatever the engine started. */
  drain(): Promise<void>
}
