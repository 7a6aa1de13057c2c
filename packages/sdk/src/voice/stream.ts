/** A user's received audio, in browsers. */
export interface VoiceStream {
  readonly user_id: string
  readonly track: MediaStreamTrack
}
