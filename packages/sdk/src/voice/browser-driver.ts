import type { MediaDriver } from './driver.ts'
import type { VoiceQuality } from './status.ts'
import type { VoiceStream } from './stream.ts'

/** The media of one session in a browser. */
export interface BrowserDriver extends MediaDriver {
  /** Sets the track to send; null sends nothing. */
  send(track: MediaStreamTrack | null): Promise<void>
  quality(): Promise<VoiceQuality | undefined>
}

/** Events of a browser's driver; none after its `close`. */
export interface BrowserDriverEvents {
  /** All current streams, with the user of each track. */
  streams(streams: readonly VoiceStream[]): void
  /** Called with the speaking users, if the engine reports them to clients itself. */
  speaking(userIds: readonly string[]): void
}
