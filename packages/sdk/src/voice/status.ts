import type { WatchedPicture } from '@foyer/protocol/voice'

/** A voice room, or the call of a conversation. */
export type VoiceTarget = { room_id: string } | { conversation_id: string }

/**
 * Reason why the user is not in voice. In the order of the values: no permission to join, the channel is full, the user
 * joined from another device, a moderator disconnected them, the channel was deleted, the network blocks media, voice
 * is temporarily unavailable, or the user signed out.
 */
export type VoiceFailure =
  | 'permission'
  | 'full'
  | 'taken_over'
  | 'kicked'
  | 'room_deleted'
  | 'network'
  | 'unavailable'
  | 'session_ended'

export interface VoiceStatus {
  readonly phase: 'idle' | 'joining' | 'connecting' | 'connected' | 'reconnecting' | 'failed'
  /** The user's channel; after a failure, the channel of the failed join. `space_id` is set once the join is granted. */
  readonly place:
    | { space_id: string | null; room_id: string | null; conversation_id: string | null }
    | undefined
  readonly sessionId: string | undefined
  /** Set while the phase is `failed`. */
  readonly reason: VoiceFailure | undefined
  readonly selfMute: boolean
  readonly selfDeaf: boolean
  /** True if the user wants to send their camera or screen. `Voice` sends it once the server has announced it. */
  readonly selfVideo: boolean
  readonly selfStream: boolean
  /** True if the connection can carry cameras and screens. */
  readonly hasVideo: boolean
  /** Ids of the users who are speaking, including the signed-in user. */
  readonly speaking: ReadonlySet<string>
}

export interface VoiceSelf {
  mute?: boolean
  deaf?: boolean
  /** Flags of camera and screen. `Voice` sets them with the tracks. */
  video?: boolean
  stream?: boolean
}

export interface VoiceQuality {
  /** Round-trip time to the server. */
  rttMs: number | undefined
  /** Share of packets lost since the last call, in the direction that lost more. */
  lossPercent: number
  jitterMs: number | undefined
}

/** Error of a failed join. The reason `left` means that the client left, or joined another channel, before it connected. */
export class VoiceError extends Error {
  override readonly name = 'VoiceError'
  readonly reason: VoiceFailure | 'left'
  /** Error code of the server, such as `voice_room_full`; undefined if there is none. */
  readonly code: string | undefined

  constructor(reason: VoiceFailure | 'left', code?: string) {
    super(code === undefined ? `voice: ${reason}` : `voice: ${reason} (${code})`)
    this.reason = reason
    this.code = code
  }
}

/** Reason why the server ended or refused the user's camera or screen. */
export interface PictureRefusal {
  readonly source: WatchedPicture['source']
  /** Error code of the server: `missing_permission`, `camera_limit`, `screen_limit` or another one. */
  readonly code: string
}
