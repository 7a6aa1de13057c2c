import type { BrowserDriverEvents } from './browser-driver.ts'
import type { DriverEvents } from './driver.ts'

/** The parts of the library that are used. */
export type LiveKitModule = Pick<
  typeof import('livekit-client'),
  'Room' | 'RoomEvent' | 'Track' | 'VideoQuality'
>

export interface LiveKitOptions {
  readonly url: string
  readonly token: string
  readonly track: MediaStreamTrack | null
  readonly load: () => Promise<LiveKitModule>
  readonly events: DriverEvents & BrowserDriverEvents
}
