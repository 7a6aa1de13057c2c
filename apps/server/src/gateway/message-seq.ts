import type { Event } from '#src/kernel/bus.ts'

/** What tells of messages by their numbers. */
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
 * The events with the new messages of each channel in the order of `seq`: ids of several processes are not. A message takes
 * the place of another one of its channel; everything else stays where it is.
 */
export function inSeqOrder<E extends Event>(events: readonly E[]): readonly E[] {
  if (isInSeqOrder(events)) return events
  const places = Map.groupBy(events.keys(), (place) => channelOfMessage(events[place]))
  places.delete(undefined)
  const ordered = [...events]
  for (const ofChannel of places.values()) {
    const sorted = ofChannel.flatMap((place) => events[place] ?? []).toSorted(bySeq)
    for (const [index, place] of ofChannel.entries())
      ordered.splice(place, 1, ...sorted.slice(index, index + 1))
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

/** Events that are replayed to many are read once. */
function readOnce(event: Event): number {
  const seq = known.get(event) ?? seqOf(event) ?? 0
  known.set(event, seq)
  return seq
}

/**
 * How many of the first events can be told before the others: none from a message on behind which one of its channel with a
 * smaller `seq` comes.
 * @param most not more than these
 */
export function countTellable(events: readonly Event[], most: number): number {
  const least = leastSeqs(events.slice(most))
  const first = events.slice(0, most).findIndex((event) => {
    const leastBehind = least.get(channelOfMessage(event))
    return leastBehind !== undefined && readOnce(event) > leastBehind
  })
  // What is not told now may have others before it.
  return first === -1 ? most : countTellable(events, first)
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
  return event?.name === 'MESSAGE_CREATE' ? event.topic.channelId : undefined
}

function bySeq(one: Event, other: Event): number {
  return readOnce(one) - readOnce(other)
}

/**
 * The number of the message that the event is about, of several the greatest; undefined for what is about none. The fields
 * before it are ids: nobody's words can match.
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
