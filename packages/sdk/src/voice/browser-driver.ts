import type { WatchedPicture } from '@foyer/protocol/voice'
import type { MediaDriver } from './driver.ts'
import type { ReceivedPictures, SentPictures } from './pictures.ts'
import type { StatsReport } from './stats.ts'
import type { VoiceQuality } from './status.ts'
import type { VoiceStream } from './stream.ts'

/** The media of one session in a browser. */
export interface BrowserDriver extends MediaDriver {
  /** Sets the track to send; null sends nothing. */
  send(track: MediaStreamTrack | null): Promise<void>
  sendPictures(sent: SentPictures): Promise<void>
  /** @param watched the pictures to receive, the most important first */
  watch(watched: readonly WatchedPicture[]): void
  /** Stops receiving sound, or receives it again. Pictures are not affected. */
  setDeaf(isDeaf: boolean): void
  quality(): Promise<VoiceQuality | undefined>
  /** All WebRTC statistics of the browser; undefined without a connection. */
  stats(): Promise<StatsReport | undefined>
}

/** Events of a browser's driver. None are sent after its `close`. */
export interface BrowserDriverEvents {
  /** All current streams, with the user of each track. */
  streams(streams: readonly VoiceStream[]): void
  /** All received cameras, screens and screen sounds. */
  pictures(received: ReceivedPictures): void
  /** The users who speak, if the engine reports them to clients itself. */
  speaking(userIds: readonly string[]): void
}
