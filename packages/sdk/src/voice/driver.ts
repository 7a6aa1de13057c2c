import type { VoiceGrant, VoiceSlot } from '@foyer/protocol/voice'
import type { VoiceFailure } from './status.ts'

/** Events of a driver: none before it is open, and none after `close`. */
export interface DriverEvents {
  /** @param sdp for the server, whose answer is passed to `takeAnswer` */
  offer(sdp: string): void
  /** Called when media flows. */
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
  takeAnswer(sdp: string): void
  takeSlots(slots: readonly VoiceSlot[]): void
  /** Ends the media and frees all resources. */
  close(): void
}

/** Starts the media of a grant; throws if this client does not support it. */
export type OpenDriver<Driver extends MediaDriver> = (grant: VoiceGrant, events: DriverEvents) => Driver
