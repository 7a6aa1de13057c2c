import type {
  PictureCodec,
  PictureSlot,
  ScreenSoundSlot,
  VoiceGrant,
  VoiceSignal,
  VoiceSlot,
  WatchedPicture,
} from '@foyer/protocol/voice'
import type { VoiceFailure } from './status.ts'

/** Events of a driver. None are sent before `OpenDriver` returns it, and none after `close`. */
export interface DriverEvents {
  /** Sends an SDP offer to the server. Its answer is passed to `takeAnswer`. */
  offer(sdp: string): void
  /** Asks the server for these pictures, the most important first. */
  watch(watched: readonly WatchedPicture[]): void
  /** Called when media flows. */
  up(): void
  /** Called when media stopped or cannot start, but another grant may help. */
  lost(): void
  /** Called when no further grant can help. */
  fail(reason: VoiceFailure): void
}

/** The media of one session, from its grant to its end. */
export interface MediaDriver {
  /** True if the driver itself recovers from network changes and lost signals. */
  readonly mendsItself: boolean
  /** True if the driver can send and receive cameras and screens. */
  readonly hasVideo: boolean
  takeAnswer(sdp: string): void
  takeSlots(slots: readonly VoiceSlot[]): void
  takePictures(pictures: readonly PictureSlot[], sounds: readonly ScreenSoundSlot[]): void
  /** @param codecs the codecs that all viewers can decode */
  takeCodecs(codecs: readonly PictureCodec[]): void
  /** Ends the media for good and releases all resources. */
  close(): void
}

/** Starts the media of a grant; throws if this client does not support it. */
export type OpenDriver<Driver extends MediaDriver> = (grant: VoiceGrant, events: DriverEvents) => Driver

type MediaSignal = Exclude<VoiceSignal, { kind: 'grant' | 'end' }>

/** Passes a signal to the driver. */
export function deliver(signal: MediaSignal, driver: MediaDriver): void {
  if (signal.kind === 'answer') driver.takeAnswer(signal.sdp)
  else if (signal.kind === 'slots') driver.takeSlots(signal.slots)
  else if (signal.kind === 'codecs') driver.takeCodecs(signal.codecs)
  else driver.takePictures(signal.slots, signal.sounds)
}
