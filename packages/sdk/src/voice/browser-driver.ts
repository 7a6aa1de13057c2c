import type { MediaDriver } from './driver.ts'
import type { VoiceQuality } from './status.ts'
import type { VoiceStream } from './stream.ts'

/** The media of one session in a browser. */
export interface BrowserDriver extends MediaDriver {
  /** What is sent from now on; null sends nothing. */
  send(track: MediaStreamTrack | null): Promise<void>
  quality(): Promise<VoiceQuality | undefined>
}

/** What a browser's driver tells besides; nothing after its `close`. */
export interface HearingEvents {
  /** Who is heard in which track: all of them. */
  streams(streams: readonly VoiceStream[]): void
  /** Who speaks, where the engine tells clients itself. */
  speaking(userIds: readonly string[]): void
}
