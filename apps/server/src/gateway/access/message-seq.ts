import { channelIdOf } from '#src/channels/place.ts'
import type { Event } from '#src/kernel/journal/bus.ts'

/** Events that contain the `seq` of a message. */
export const numberedEvents = [
  'MESSAGE_CREATE',
  'MESSAGE_UPDATE',
  'MESSAGE_DELETE',
  'MESSAGE_DELETE_BULK',
  'MESSAGE_REACTION_ADD',
  'MESSAGE_REACTION_REMOVE',
  'MESSAGE_REACTION_CLEAR',
]

const NUMBERED = new Set(numberedEvents)
const FIELD = '"seq":'

/**
 * Orders the new messages of each channel by `seq`; ids from several processes are not in that order. Only messages
 * of one channel swap positions; all other events keep theirs.
 */
export function inSeqOrder<E extends Event>(events: readonly E[]): readonly E[] {
  if (isInSeqOrder(events)) return events
  const positions = Map.groupBy(events.keys(), (position) => channelOfMessage(events[position]))
  positions.delete(undefined)
  const ordered = [...events]
  for (const ofChannel of positions.values()) {
    const sorted = ofChannel.flatMap((position) => events[position] ?? []).toSorted(bySeq)
    for (const [index, position] of ofChannel.entries())
      ordered.splice(position, 1, ...sorted.slice(index, index + 1))
  }
  return ordered
}

function isInSeqOrder(events: readonly Event[]): boolean {
  const last = new Map<string, number>()
  return events.every((event) => {
    const channelId = channelOfMessage(event)
    if (channelId === undefined) return true
    const [before, seq] = [last.get(channelId) ?? 0, readOnce(event)]
    last.set(channelId, seq)
    return seq > before
  })
}

const known = new WeakMap<Event, number>()

/**
 * Returns the `seq` of the event's message, or 0 if it has none. The data is parsed only once per event, even if many
 * connections replay the event.
 */
function readOnce(event: Event): number {
  const seq = known.get(event) ?? seqOf(event) ?? 0
  known.set(event, seq)
  return seq
}

/**
 * Returns how many of the first `most` events can be sent now. A message waits if a later event in the list is an earlier
 * message of its channel.
 */
export function countSendable(events: readonly Event[], most: number): number {
  const least = leastSeqs(events.slice(most))
  const first = events.slice(0, most).findIndex((event) => {
    const leastAfter = least.get(channelOfMessage(event))
    return leastAfter !== undefined && readOnce(event) > leastAfter
  })
  // The events from `first` on now wait as well, and may also have a smaller `seq` than an event before `first`.
  return first === -1 ? most : countSendable(events, first)
}

function leastSeqs(events: readonly Event[]): Map<string | undefined, number> {
  const messages = events.filter((event) => channelOfMessage(event) !== undefined)
  const least = new Map<string | undefined, number>()
  for (const event of messages) {
    const channelId = channelOfMessage(event)
    least.set(channelId, Math.min(readOnce(event), least.get(channelId) ?? Number.POSITIVE_INFINITY))
  }
  return least
}

function channelOfMessage(event: Event | undefined): string | undefined {
  return event?.name === 'MESSAGE_CREATE' ? channelIdOf(event) : undefined
}

function bySeq(one: Event, other: Event): number {
  return readOnce(one) - readOnce(other)
}

/**
 * Returns the `seq` of the event's message, or the greatest `seq` if it has several; undefined for events without
 * messages. In the JSON, only ids precede the field, so message text cannot match.
 */
export function seqOf({ name, data }: Pick<Event, 'name' | 'data'>): number | undefined {
  if (!NUMBERED.has(name)) return undefined
  if (name === 'MESSAGE_DELETE_BULK') return Math.max(...data.split(FIELD).slice(1).map(numberAtStart))
  const at = data.indexOf(FIELD)
  return at === -1 ? undefined : numberAtStart(data.slice(at + FIELD.length, at + FIELD.length + 16))
}

function numberAtStart(text: string): number {
  return Number.parseInt(text, 10)
}
