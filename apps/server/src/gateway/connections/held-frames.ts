import type { Event } from '#src/kernel/journal/bus.ts'
import { dispatchFrame, type Frame } from './frames.ts'

/** A frame held until the connection is ready, with its events if it is not for this connection alone. */
export interface Held {
  readonly frame: Frame
  readonly events: readonly Event[]
}

/** Returns the held frame unchanged if all of its events are still due, otherwise one frame per event that is. */
export function framesDue({ frame, events }: Held, isDue: (event: Event) => boolean): Frame[] {
  const due = events.filter(isDue)
  return due.length === events.length ? [frame] : due.map(dispatchFrame)
}
