/** A person's voice as it arrives, in browsers. */
export interface VoiceStream {
  readonly user_id: string
  readonly track: MediaStreamTrack
}
