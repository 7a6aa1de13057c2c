import type { EventName, Events } from '@foyer/protocol/events'
import { encodeEvent } from '#src/kernel/events.ts'
import { dispatchFrame, type Frame } from './frames.ts'

/** An event that stands for a state, and not for what happened: without a place in the journal no client takes it for a duplicate. */
export function frameOf<N extends EventName>(name: N, data: Events[N]): Frame {
  return dispatchFrame({ id: undefined, name, data: encodeEvent(name, data) })
}
