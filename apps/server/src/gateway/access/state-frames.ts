import type { EventName, Events } from '@foyer/protocol/events'
import { encodeEvent } from '#src/kernel/database/events.ts'
import { dispatchFrame, type Frame } from '../connections/frames.ts'

/**
 * Makes a frame for a state instead of an event. It has no position in the journal, so that no client drops it as a
 * duplicate.
 */
export function stateFrame<N extends EventName>(name: N, data: Events[N]): Frame {
  return dispatchFrame({ id: undefined, name, data: encodeEvent(name, data) })
}
