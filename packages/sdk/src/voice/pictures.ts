import type { ReceivedLayer, WatchedPicture } from '@foyer/protocol/voice'
import type { VoiceStream } from './stream.ts'

/** Another user's camera or screen as it is received in browsers. */
export interface ReceivedPicture extends WatchedPicture {
  readonly track: MediaStreamTrack
  /** Received simulcast layer. Omitted while it is unknown, and for a picture sent in one layer. */
  readonly layer?: ReceivedLayer
}

/** The received cameras, screens and screen sounds. */
export interface ReceivedPictures {
  readonly pictures: readonly ReceivedPicture[]
  readonly sounds: readonly VoiceStream[]
}

/** The user's own camera and screen. A track's content hint decides what a slow connection reduces: sharpness or frame rate. */
export interface SentPictures {
  readonly camera: MediaStreamTrack | null
  readonly screen: MediaStreamTrack | null
  /** The sound of the screen. */
  readonly sound: MediaStreamTrack | null
}

export const NO_PICTURES: ReceivedPictures = { pictures: [], sounds: [] }
export const NOTHING_SENT: SentPictures = { camera: null, screen: null, sound: null }
