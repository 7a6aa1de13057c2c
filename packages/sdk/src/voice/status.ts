/** Where one talks: a voice room, or the call of a conversation. */
export type VoiceTarget = { room_id: string } | { conversation_id: string }

/**
 * Why one is not in voice: the right to join is missing, the place is full, the user joined from elsewhere, somebody
 * disconnected them, the place is gone, no media comes through this network, voice does not work just now, or the login
 * ended.
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
  /** `space_id` is known once the server has let one in. After a failure: where one was, or wanted to be. */
  readonly place:
    | { space_id: string | null; room_id: string | null; conversation_id: string | null }
    | undefined
  readonly sessionId: string | undefined
  /** Set while the phase is `failed`. */
  readonly reason: VoiceFailure | undefined
  readonly selfMute: boolean
  readonly selfDeaf: boolean
  /** The ids of users whose voices are heard at the moment, the own among them. */
  readonly speaking: ReadonlySet<string>
}

export interface VoiceSelf {
  mute?: boolean
  deaf?: boolean
}

export interface VoiceQuality {
  /** To the server and back. */
  rttMs: number | undefined
  /** Share of packets lost since the last call, in the worse direction. */
  lossPercent: number
  jitterMs: number | undefined
}

/** Why a join did not come about; `left` where the client itself left, or joined elsewhere, meanwhile. */
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
