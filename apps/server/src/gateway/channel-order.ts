import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Event } from '#src/kernel/bus.ts'
import { growingLru } from '#src/kernel/cache.ts'
import { seqOf } from './message-seq.ts'

/** What comes too early is followed within this time by what belongs before it, as a rule. */
const PATIENCE_MS = 100
const RETRY_MS = 500
const MAX_CHANNELS = 200_000

export interface ChannelOrderOptions {
  /** Messages of the event's channel from after a `seq` up to the event's own, in their order, as the journal has them. */
  findMissing: (after: number, event: Event) => Promise<Event[]>
  /** Takes events whose turn has come. */
  deliver: (events: readonly Event[]) => void
  /** Whether messages are written by this process alone, in their order. */
  isAlone: boolean
  log: Logger
}

/** An event, and the number of the newest message that it is about; undefined for what is about none. */
interface Numbered {
  readonly event: Event
  readonly seq: number | undefined
}

interface Channel {
  /** The number of the newest message that was delivered. */
  last: number
  /** What waits until an earlier message is there, in the order in which it came. */
  waiting: Numbered[]
}

/**
 * Messages of a channel are delivered in the order of `seq`, each once, whichever process wrote them and whenever it told of
 * them; what else happens in the channel does not overtake a message that waits, nor the one that it is about. No number is
 * missing for good: it is counted under the lock of the channel's head, so that a message is committed before the next one has
 * its number. What is late is in the journal.
 */
export class ChannelOrder {
  readonly #options: ChannelOrderOptions
  readonly #channels = growingLru<Channel>(MAX_CHANNELS)

  constructor(options: ChannelOrderOptions) {
    this.#options = options
  }

  /**
   * The events whose turn it is now that this one came, in their order. If it is not among them, it is delivered later, or was
   * delivered before.
   * @param isHeard whether anybody here hears the channel: else nothing is to be kept in order
   */
  admit(event: Event, isHeard: boolean): readonly Event[] {
    const { channelId } = event.topic
    const channel = this.#channels.get(channelId)
    const numbered = { event, seq: seqOf(event) }
    if (!isHeard) return this.#note(channel, numbered)
    if (channel !== undefined) return this.#take(channel, numbered)
    return isMessage(numbered) ? this.#begin(channelId, numbered) : [event]
  }

  /** The newest message of the channel that came by here; undefined when none did. */
  lastOf(channelId: string): number | undefined {
    return this.#channels.peek(channelId)?.last
  }

  /** Who comes to hear the channel was told how far it is, and may have missed what came by meanwhile. */
  #note(channel: Channel | undefined, numbered: Numbered): [Event] {
    const { event, seq = 0 } = numbered
    if (!isMessage(numbered)) return [event]
    if (channel === undefined) this.#channels.set(event.topic.channelId, { last: seq, waiting: [] })
    else channel.last = Math.max(channel.last, seq)
    return [event]
  }

  /** What came before the first message that is heard here may be late, too: it is looked for at once. */
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
    // Whoever waits first asks for what is missing.
    void sleep(PATIENCE_MS, undefined, { ref: false }).then(() => this.#fill(channel))
    return []
  }

  async #fill(channel: Channel): Promise<void> {
    for (;;) {
      const [first] = channel.waiting
      if (first === undefined) return
      const missing = await this.#options.findMissing(channel.last, first.event).catch((error) => {
        this.#options.log.warn({ err: error }, 'messages that are late could not be looked up')
      })
      if (missing === undefined) await sleep(RETRY_MS, undefined, { ref: false })
      else this.#options.deliver(takeAll(channel, first, missing))
    }
  }
}

/** What waits and is due now. */
function takeDue(channel: Channel): Event[] {
  const due: Event[] = []
  for (;;) {
    const index = channel.waiting.findIndex((numbered, place) => mayPass(channel, numbered, place))
    const [numbered] = index === -1 ? [] : channel.waiting.splice(index, 1)
    if (numbered === undefined) return due
    if (!isDuplicate(channel, numbered)) due.push(pass(channel, numbered))
  }
}

/** Messages pass as soon as it is their turn, everything else behind what it came after. */
function mayPass(channel: Channel, numbered: Numbered, place: number): boolean {
  return (place === 0 || isMessage(numbered)) && (isDue(channel, numbered) || isDuplicate(channel, numbered))
}

/** The missing messages, and what waited for them. What the journal does not have any more nobody waits for. */
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
