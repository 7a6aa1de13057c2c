import type {
  PictureSlot,
  ScreenSoundSlot,
  VoiceGrant,
  VoiceSignal,
  VoiceSlot,
  WatchedPicture,
} from '@foyer/protocol/voice'
import type { VoiceFailure } from './status.ts'

/** Events of a driver: none before it is open, and none after `close`. */
export interface DriverEvents {
  /** @param sdp for the server, whose answer is passed to `takeAnswer` */
  offer(sdp: string): void
  /** The pictures that the server is to send, the most important first. */
  watch(watched: readonly WatchedPicture[]): void
  /** Media flows. */
  up(): void
  /** Called when media stopped or cannot start: another grant may help. */
  lost(): void
  /** Called when no further grant can help. */
  fail(reason: VoiceFailure): void
}

/** The media of one session, from its grant to its end. */
export interface MediaDriver {
  /** True if the driver recovers by itself from changes of networks and lost signals. */
  readonly mendsItself: boolean
  /** True if it can send and receive cameras and screens. */
  readonly hasVideo: boolean
  takeAnswer(sdp: string): void
  takeSlots(slots: readonly VoiceSlot[]): void
  takePictures(pictures: readonly PictureSlot[], sounds: readonly ScreenSoundSlot[]): void
  /** Ends it for good, and everything that belongs to it. */
  close(): void
}

/** Starts the media of a grant; throws if this client does not support it. */
export type OpenDriver<Driver extends MediaDriver> = (grant: VoiceGrant, events: DriverEvents) => Driver

type MediaSignal = Exclude<VoiceSignal, { kind: 'grant' | 'end' }>

/** Gives a signal to the media it is for. */
export function deliver(signal: MediaSignal, driver: MediaDriver): void {
  if (signal.kind === 'answer') driver.takeAnswer(signal.sdp)
  else if (signal.kind === 'slots') driver.takeSlots(signal.slots)
  else driver.takePictures(signal.slots, signal.sounds)
}
