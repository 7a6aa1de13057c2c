import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { channelIdOf } from '#src/channels/place.ts'
import { growingLru } from '#src/kernel/cache.ts'
import type { Event } from '#src/kernel/journal/bus.ts'
import { seqOf } from '../access/message-seq.ts'

/** Time to wait for earlier messages if an event arrives before them. They usually arrive within this time. */
const PATIENCE_MS = 100
const RETRY_MS = 500
const MAX_CHANNELS = 200_000

export interface ChannelOrderOptions {
  /** Returns the journaled messages of the event's channel after a `seq`, up to the event's own, in order. */
  findMissing: (after: number, event: Event) => Promise<Event[]>
  /** Receives events that are due. */
  deliver: (events: readonly Event[]) => void
  /** True if this process alone writes messages. They then arrive in order. */
  isAlone: boolean
  log: Logger
}

/** An event with the `seq` of its newest message; undefined for events without messages. */
interface Numbered {
  readonly event: Event
  readonly seq: number | undefined
}

interface Channel {
  /** The `seq` of the newest delivered message. */
  last: number
  /** Events that wait for an earlier message, in order of arrival. */
  waiting: Numbered[]
}

/**
 * Delivers the messages of a channel in the order of `seq`, each once, from any process. Other events of the channel do
 * not overtake a waiting message, or their own message. Numbers have no lasting gaps: they are assigned under the lock
 * of the channel's head, so a message is committed before the next one gets its number. Late messages are read from the
 * journal.
 */
export class ChannelOrder {
  readonly #options: ChannelOrderOptions
  readonly #channels = growingLru<Channel>(MAX_CHANNELS)

  constructor(options: ChannelOrderOptions) {
    this.#options = options
  }

  /**
   * Returns the events that become due with this one, in order. If this event is not among them, it is delivered later,
   * or was delivered before.
   * @param hasRecipients whether a connection of this process receives the channel; otherwise no order is kept
   */
  admit(event: Event, hasRecipients: boolean): readonly Event[] {
    const channelId = channelIdOf(event)
    const channel = this.#channels.get(channelId)
    const numbered = { event, seq: seqOf(event) }
    if (!hasRecipients) return this.#note(channelId, channel, numbered)
    if (channel !== undefined) return this.#take(channel, numbered)
    // In a single process, a message is always delivered before its changes, so a change need not begin the order.
    const begins = isMessage(numbered) || (numbered.seq !== undefined && !this.#options.isAlone)
    return begins ? this.#begin(channelId, numbered) : [event]
  }

  /** Returns the `seq` of the channel's newest delivered message, not of those that wait; 0 or undefined if there is none. */
  lastOf(channelId: string): number | undefined {
    return this.#channels.peek(channelId)?.last
  }

  /**
   * Records only the channel's newest `seq`. A user who subscribes to the channel afterwards may have been sent a smaller
   * `seq`, and then needs a backfill from there.
   */
  #note(channelId: string, channel: Channel | undefined, numbered: Numbered): [Event] {
    const { event, seq = 0 } = numbered
    if (!isMessage(numbered)) return [event]
    if (channel === undefined) this.#channels.set(channelId, { last: seq, waiting: [] })
    else channel.last = Math.max(channel.last, seq)
    return [event]
  }

  /**
   * Begins the order of a channel. Messages before the first event received here may also be late, so they are looked
   * up at once.
   */
  #begin(channelId: string, numbered: Numbered): readonly Event[] {
    const { seq = 0 } = numbered
    const channel: Channel = { last: seq - 1, waiting: [] }
    this.#channels.set(channelId, channel)
    if (this.#options.isAlone) return this.#take(channel, numbered)
    channel.last = 0
    channel.waiting.push(numbered)
    void this.#fill(channel)
    return []
  }

  #take(channel: Channel, numbered: Numbered): readonly Event[] {
    if (channel.waiting.length === 0 && isDue(channel, numbered)) return [pass(channel, numbered)]
    if (isDuplicate(channel, numbered)) return []
    channel.waiting.push(numbered)
    if (channel.waiting.length > 1) return takeDue(channel)
    // The first event that waits triggers the look-up.
    void sleep(PATIENCE_MS, undefined, { ref: false }).then(() => this.#fill(channel))
    return []
  }

  async #fill(channel: Channel): Promise<void> {
    for (;;) {
      const [first] = channel.waiting
      if (first === undefined) return
      const missing = await this.#options.findMissing(channel.last, first.event).catch((error) => {
        this.#options.log.warn({ err: error }, 'late messages could not be looked up')
      })
      if (missing === undefined) await sleep(RETRY_MS, undefined, { ref: false })
      else this.#options.deliver(takeAll(channel, first, missing))
    }
  }
}

/** Returns the waiting events that are due. */
function takeDue(channel: Channel): Event[] {
  const due: Event[] = []
  for (;;) {
    const index = channel.waiting.findIndex((numbered, index) => mayPass(channel, numbered, index))
    const [numbered] = index === -1 ? [] : channel.waiting.splice(index, 1)
    if (numbered === undefined) return due
    if (!isDuplicate(channel, numbered)) due.push(pass(channel, numbered))
  }
}

/**
 * Returns true if a waiting event may be delivered: a message once it is due, any other event only after everything
 * that arrived before it.
 */
function mayPass(channel: Channel, numbered: Numbered, index: number): boolean {
  return (index === 0 || isMessage(numbered)) && (isDue(channel, numbered) || isDuplicate(channel, numbered))
}

/**
 * Returns the missing messages, and the events that waited for them. Numbers the journal no longer has are
 * skipped.
 */
function takeAll(channel: Channel, first: Numbered, missing: readonly Event[]): Event[] {
  const numbered = missing.map((event) => ({ event, seq: seqOf(event) }))
  const due = numbered.flatMap((each) => (isDuplicate(channel, each) ? [] : [pass(channel, each)]))
  const { seq = 0 } = first
  channel.last = Math.max(channel.last, isMessage(first) ? seq - 1 : seq)
  return [...due, ...takeDue(channel)]
}

function isMessage({ event }: Numbered): boolean {
  return event.name === 'MESSAGE_CREATE'
}

function isDue({ last }: Channel, numbered: Numbered): boolean {
  const { seq } = numbered
  if (seq === undefined) return true
  return isMessage(numbered) ? seq === last + 1 : seq <= last
}

function isDuplicate({ last }: Channel, numbered: Numbered): boolean {
  const { seq = 0 } = numbered
  return isMessage(numbered) && seq <= last
}

function pass(channel: Channel, numbered: Numbered): Event {
  const { event, seq = channel.last } = numbered
  if (isMessage(numbered)) channel.last = seq
  return event
}
