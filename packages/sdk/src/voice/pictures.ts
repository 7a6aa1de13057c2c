import type { ReceivedLayer, WatchedPicture } from '@foyer/protocol/voice'
import type { VoiceStream } from './stream.ts'

/** A camera or screen of another user as it arrives, in browsers. */
export interface ReceivedPicture extends WatchedPicture {
  readonly track: MediaStreamTrack
  /** Missing while it is unknown, and for a picture that is sent in one layer. */
  readonly layer?: ReceivedLayer
}

/** The cameras, screens and sounds of screens that arrive. */
export interface ReceivedPictures {
  readonly pictures: readonly ReceivedPicture[]
  readonly sounds: readonly VoiceStream[]
}

/** The user's own camera and screen. The content hint of a track decides what a slow connection costs first. */
export interface SentPictures {
  readonly camera: MediaStreamTrack | null
  readonly screen: MediaStreamTrack | null
  /** The sound of the screen. */
  readonly sound: MediaStreamTrack | null
}

export const NO_PICTURES: ReceivedPictures = { pictures: [], sounds: [] }
export const NOTHING_SENT: SentPictures = { camera: null, screen: null, sound: null }
