import type { PictureCodec, VoiceEndReason, VoiceGrant } from '@foyer/protocol/voice'
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
  /** True if the user deafened themselves: they are sent no audio, but they are sent video. */
  readonly isSelfDeaf: boolean
  readonly canUseVideo: boolean
  readonly canShareScreen: boolean
  /** Right to send a screen's audio. It needs the right to speak, because others hear it like a voice. */
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

/** A camera or screen that a session wants to receive. */
export interface WatchedSource {
  readonly userId: string
  readonly source: 'camera' | 'screen'
  /**
   * Height in device pixels at which the client shows the picture. With 0, the picture keeps its slot but is not sent.
   * Undefined requests the highest layer.
   */
  readonly height?: number | undefined
}

/** The simulcast layer of a picture that a viewer receives. */
export interface ReceivedLayer {
  /** 1 is the layer with the lowest resolution. */
  readonly position: number
  readonly count: number
}

/** The new picture in a slot of a session. A free slot has no user and no source. */
export interface PictureChange {
  readonly slot: number
  readonly userId: string | undefined
  readonly source: WatchedSource['source'] | undefined
  /** Undefined before the first packet, and for a picture that is sent in one layer. */
  readonly layer?: ReceivedLayer | undefined
  /** RTP sequence number of this picture's first packet in the slot. Earlier packets belong to another picture. */
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
  /** Changes of the pictures that a session receives, and of the screens whose audio it receives. */
  pictures: { sessionId: string; slots: readonly PictureChange[]; sounds: readonly SlotChange[] }
  /** The codecs in which a session may send pictures: everyone who watches can decode them. */
  codecs: { sessionId: string; codecs: readonly PictureCodec[] }
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
  /** Dropped packets: over a publisher's limits, of unknown streams, or too many for a slow TCP connection. */
  readonly packetsDropped: number
  /** TCP connections of clients. */
  readonly tcpConnections: number
}

/** Carries media. The server decides about users and permissions, and the engine applies its decisions immediately. */
export interface VoiceEngine {
  /** Starts everything that the first join would otherwise start. Problems are logged. */
  open(): void
  /**
   * Admits the session. Its client then connects with one offer (`signal`), or to the engine directly, as the grant
   * says. Joining an existing session creates a new grant.
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
   * if clients request pictures from the engine directly.
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
