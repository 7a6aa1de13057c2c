import type { VoiceEndReason, VoiceGrant } from '@foyer/protocol/voice'
import type { Place } from '#src/channels/place.ts'

/** One user in one room or call, from joining until leaving. */
export interface VoiceSession {
  readonly id: string
  readonly userId: string
  readonly place: Place
  /** The login or bot that joined. Its end ends the session. */
  readonly loginId: string
}

/** The rights enforced in the media path, independent of the client. */
export interface MediaRights {
  readonly canSpeak: boolean
  readonly canHear: boolean
  /** No sound may come, because the user wants none; pictures may. */
  readonly isSelfDeaf: boolean
  readonly canUseVideo: boolean
  readonly canShareScreen: boolean
  /** The sound of the screen is heard like a voice. */
  readonly canShareSound: boolean
}

export const NO_RIGHTS: MediaRights = {
  canSpeak: false,
  canHear: false,
  isSelfDeaf: false,
  canUseVideo: false,
  canShareScreen: false,
  canShareSound: false,
}

/** A picture that a session wants to receive. */
export interface WatchedSource {
  readonly userId: string
  readonly source: 'camera' | 'screen'
  /** Pixels of the device at which it is shown. 0 holds its place but sends nothing; undefined is the highest layer. */
  readonly height?: number | undefined
}

/** Which of a picture's layers a viewer receives. */
export interface ReceivedLayer {
  /** 1 is the lowest. */
  readonly position: number
  readonly count: number
}

/** The picture in a slot of a session; undefined for a free slot. */
export interface PictureChange {
  readonly slot: number
  readonly userId: string | undefined
  readonly source: WatchedSource['source'] | undefined
  /** Undefined before the first packet, and for a picture that is sent in one layer. */
  readonly layer?: ReceivedLayer | undefined
  /** Sequence of the first packet that the slot has of it. Earlier packets are those of another picture. */
  readonly firstSequence?: number | undefined
}

/** The user heard in a slot of a session; undefined for a free slot. */
export interface SlotChange {
  readonly slot: number
  readonly userId: string | undefined
}

/** Events of an engine. They are hints: the server decides on membership and permissions. */
export interface VoiceEvents {
  /** Media is flowing. */
  joined: { sessionId: string }
  /** The client disconnected, or its media never arrived. */
  left: { sessionId: string; reason: 'left' | 'unreachable' }
  /** All users who are currently speaking in a place. */
  speaking: { place: Place; userIds: readonly string[] }
  slots: { sessionId: string; slots: readonly SlotChange[] }
  /** The pictures that a session receives, and the screens whose sound it hears. */
  pictures: { sessionId: string; slots: readonly PictureChange[]; sounds: readonly SlotChange[] }
  /** The process that carried these sessions ended. Each needs a new grant. */
  nodeLost: { sessionIds: readonly string[] }
}

export interface EngineStats {
  readonly processes: number
  readonly rooms: number
  readonly sessions: number
  /** Cameras and screens that send. */
  readonly pictures: number
  readonly packetsForwarded: number
  /** Packets over a publisher's limits, and packets of unknown streams. */
  readonly packetsDropped: number
  /** Connections of clients by TCP. */
  readonly tcpConnections: number
}

/** Carries media. The server decides about users and their permissions, and the engine applies it immediately. */
export interface VoiceEngine {
  /**
   * Lets the session send and receive, with one offer to come, or by the engine's own means. Joining an existing
   * session creates a new grant.
   * @throws ApiError voice_unavailable
   */
  join(session: VoiceSession, rights: MediaRights): Promise<VoiceGrant>
  /**
   * @param offer SDP
   * @returns the answer, as SDP
   * @throws ApiError invalid_offer, unknown_voice_session, voice_unavailable
   */
  signal(sessionId: string, offer: string): Promise<string>
  /**
   * Sets the pictures that the session receives, the most important first. Does nothing for an unknown session, or
   * where clients choose by the engine's own means.
   */
  watch(sessionId: string, watched: readonly WatchedSource[]): Promise<void>
  /** Resolves when the media path applies the rights. Does nothing for an unknown session. */
  setRights(sessionId: string, rights: MediaRights): Promise<void>
  /** Resolves when the session's media has ended. Does nothing for an unknown session. */
  kick(sessionId: string, reason: VoiceEndReason): Promise<void>
  closeRoom(place: Place): Promise<void>
  on<Name extends keyof VoiceEvents>(name: Name, listener: (event: VoiceEvents[Name]) => void): void
  stats(): Promise<EngineStats>
  /** Ends all sessions, and everything the engine started. */
  drain(): Promise<void>
}
