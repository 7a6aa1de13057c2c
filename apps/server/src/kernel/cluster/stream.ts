import { idTime } from '../ids.ts'
import type { Bus, Event } from '../journal/bus.ts'
import type { Queryable } from '../sql/sql.ts'
import { readMissing } from './journal-tail.ts'
import { RecentIds } from './recent-ids.ts'

/**
 * Milliseconds an id may be older than its row's commit: the wait for a connection and a transaction, each at most 5
 * s.
 */
const OVERLAP_MS = 10_000
/** Received ids are remembered for this long before `#knownUntil`. */
const REMEMBERED_MS = 60_000
/** Validity of a proof by the journal: a little longer than until the next read. */
const PROOF_OF_JOURNAL_MS = 1500
const PROOF_OF_ECHO_MS = 2000
/** Margin for reading the journal: a loss may have begun this long before this process noticed it. */
const SOONER_MS = 2000
/** Maximum events that wait until this process has caught up. With more, reading the journal is faster. */
const MAX_WAITING = 50_000

export interface StreamDeps {
  bus: Bus
  database: Queryable
  onCaughtUp: (count: number) => void
  /** Called when events may be missing from a period whose received ids are no longer remembered. */
  onForgotten: () => void
}

/**
 * Delivers the events committed by other processes, each once. While the stream is live, it delivers events as they are
 * published. While it is behind, it reads the backlog from the journal, and published events wait: a later change must
 * not overtake an earlier one.
 */
export class Stream {
  readonly #deps: StreamDeps
  readonly #received = new RecentIds()
  #waiting: Event[] | undefined
  /** Everything committed before this has been received; milliseconds since 1970. */
  #knownUntil = Date.now()
  /** Received ids are remembered from here on; milliseconds since 1970. */
  #rememberedSince = this.#knownUntil - OVERLAP_MS

  /** The period that was read from the journal. The time before this process began counts as read: nothing is cached from it. */
  #read = { since: Number.NEGATIVE_INFINITY, until: this.#knownUntil }

  constructor(deps: StreamDeps) {
    this.#deps = deps
  }

  get isLive(): boolean {
    return this.#waiting === undefined
  }

  /**
   * Takes events committed by this process. While the stream is catching up, they wait with the events of other processes,
   * to be delivered to this process's connections in order.
   */
  take(events: readonly Event[]): void {
    if (this.isLive) this.#note(events)
    else this.receive(events.filter(isJournaled))
  }

  receive(events: readonly Event[]): void {
    if (this.#waiting === undefined) return this.#deliver(events)
    if (this.#waiting.length < MAX_WAITING) this.#waiting.push(...events.filter(isWorthWaiting))
  }

  /**
   * Takes events of a process that was silent. Drops events older than the remembered ids, which were read from the journal.
   * @param behindMs how far the sender's clock is behind ours
   */
  receiveFromReturned(events: readonly Event[], behindMs: number): void {
    this.receive(
      events.filter(({ id }) => id === undefined || idTime(id) + behindMs >= this.#rememberedSince),
    )
  }

  /** Takes an echo of this process: everything published before it has been received. */
  prove(sentAt: { wall: number; monotonic: number }): void {
    if (!this.isLive) return
    this.#know(sentAt.wall)
    this.#deps.bus.freshness.holdUntil(sentAt.monotonic + PROOF_OF_ECHO_MS)
  }

  fallBehind(): void {
    this.#waiting ??= []
  }

  /**
   * Called when everything has been received. Delivers waiting events, and from then on events as they are published.
   */
  goLive(): void {
    const waiting = this.#waiting ?? []
    this.#waiting = undefined
    this.#deliver(waiting)
  }

  /** @returns true if all events that arrived during the read were kept; otherwise the journal must be read again */
  async catchUp(): Promise<boolean> {
    // Journaled events that wait were committed before this read of the journal, which includes them.
    this.#waiting = this.#waiting?.filter((event) => !isJournaled(event))
    await this.follow()
    return (this.#waiting?.length ?? 0) < MAX_WAITING
  }

  /** Reads all events not received so far, which proves freshness. */
  async follow(): Promise<void> {
    const began = { wall: Date.now(), monotonic: performance.now() }
    await this.reread(this.#knownUntil - SOONER_MS)
    this.#know(began.wall)
    this.#deps.bus.freshness.holdUntil(began.monotonic + PROOF_OF_JOURNAL_MS)
  }

  /**
   * Delivers journaled events from `since` on that were not received. Periods read without a gap are not read again.
   * @param since milliseconds since 1970
   */
  async reread(since: number): Promise<void> {
    const began = Date.now()
    const unread = since < this.#read.since ? since : Math.max(since, this.#read.until)
    if (unread < this.#rememberedSince) this.#forget()
    try {
      await this.#readFrom(Math.max(unread - OVERLAP_MS, this.#rememberedSince))
    } catch (error) {
      // A loss is reported once, so catching up must begin with the events that could not be read here.
      this.#knownUntil = Math.min(this.#knownUntil, unread + SOONER_MS)
      throw error
    }
    this.#noteRead(unread, began)
  }

  async #readFrom(since: number): Promise<void> {
    for await (const events of readMissing(this.#deps.database, since, this.#received)) {
      this.#deps.onCaughtUp(events.length)
      this.#deliver(events)
    }
  }

  #noteRead(since: number, until: number): void {
    const isApart = since > this.#read.until || until < this.#read.since
    this.#read = isApart ? { since, until } : spanOf(this.#read, { since, until })
  }

  /** Called if it is unknown which events of a period were received: caches may be stale, and connections may lack events. */
  #forget(): void {
    this.#deps.bus.freshness.end()
    this.#deps.onForgotten()
  }

  #note(events: readonly Event[]): void {
    for (const { id } of events) if (id !== undefined) this.#received.add(id)
  }

  #know(until: number): void {
    this.#knownUntil = until
    this.#rememberedSince = Math.max(this.#rememberedSince, until - REMEMBERED_MS)
    this.#received.forgetBefore(this.#rememberedSince)
  }

  #deliver(events: readonly Event[]): void {
    const unheard = events.filter(({ id }) => id === undefined || !this.#received.has(id))
    this.#note(unheard)
    if (unheard.length > 0) this.#deps.bus.receive(unheard)
  }
}

interface Span {
  since: number
  until: number
}

function spanOf(one: Span, other: Span): Span {
  return { since: Math.min(one.since, other.since), until: Math.max(one.until, other.until) }
}

function isJournaled({ id }: Event): boolean {
  return id !== undefined
}

/** Returns whether an event waits while catching up. Presences do, because nothing repeats them. Other transient events do not. */
function isWorthWaiting(event: Event): boolean {
  return isJournaled(event) || event.topic.kind === 'presence'
}
