import type { VoiceGrant, VoiceSlot } from '@foyer/protocol/voice'
import type { VoiceFailure } from './status.ts'

/** Events of a driver; none before it is open, and none after its `close`. */
export interface DriverEvents {
  /** @param sdp for the server, whose answer comes to `takeAnswer` */
  offer(sdp: string): void
  /** Media flows. */
  up(): void
  /** It does not flow any more, or will not: another grant may help. */
  lost(): void
  /** No grant like this helps here. */
  fail(reason: VoiceFailure): void
}

/** The media of one session, from its grant to its end. */
export interface MediaDriver {
  /** After a change of networks, and whatever signals were lost with a connection of the gateway. */
  readonly mendsItself: boolean
  takeAnswer(sdp: string): void
  takeSlots(slots: readonly VoiceSlot[]): void
  /** Ends it for good, and everything that belongs to it. */
  close(): void
}

/** Starts the media that a grant allows; throws where this client has no means for it. */
export type OpenDriver<Driver extends MediaDriver> = (grant: VoiceGrant, events: DriverEvents) => Driver
