import type { Bus, Event } from '../bus.ts'
import { idTime } from '../ids.ts'
import type { Queryable } from '../sql.ts'
import { readUnheard } from './journal-tail.ts'
import { RecentIds } from './recent-ids.ts'

/** An id is older than the commit of its row by the wait for a connection and a transaction, each 5 s at most. */
const OVERLAP_MS = 10_000
/** What was heard is remembered from so long before the last moment at which all of it was known to be heard. */
const REMEMBERED_MS = 60_000
/** What the journal proved holds this long: a little longer than until the next look. */
const PROOF_OF_JOURNAL_MS = 1500
const PROOF_OF_ECHO_MS = 2000
/** What others tell of a loss began a little sooner than this process noticed its own. */
const SOONER_MS = 2000
/** Events that wait until this process has caught up. More than that are sooner read from the journal. */
const MAX_WAITING = 50_000

export interface StreamDeps {
  bus: Bus
  database: Queryable
  onCaughtUp: (count: number) => void
  /** Something may have been missed that is too long ago to be told apart from what was heard. */
  onForgotten: () => void
}

/**
 * What other processes committed, each event once. While it is live, events come as they are published. While it is behind,
 * what was missed is read from the journal, and what is published waits: a later change must not overtake an earlier one.
 */
export class Stream {
  readonly #deps: StreamDeps
  readonly #heard = new RecentIds()
  #waiting: Event[] | undefined
  /** All that was committed before is heard; milliseconds since 1970. */
  #knownUntil = Date.now()
  /** From here on what was heard is remembered; milliseconds since 1970. */
  #rememberedSince = this.#knownUntil - OVERLAP_MS

  /** What was committed from then until then was read from the journal. Nothing is kept from before this process began. */
  #read = { since: Number.NEGATIVE_INFINITY, until: this.#knownUntil }

  constructor(deps: StreamDeps) {
    this.#deps = deps
  }

  get isLive(): boolean {
    return this.#waiting === undefined
  }

  /** What this process committed. While it is behind, its own connections hear that in its turn, too. */
  take(events: readonly Event[]): void {
    if (this.isLive) this.#note(events)
    else this.receive(events.filter(isJournaled))
  }

  receive(events: readonly Event[]): void {
    if (this.#waiting === undefined) return this.#deliver(events)
    if (this.#waiting.length < MAX_WAITING) this.#waiting.push(...events.filter(isWorthWaiting))
  }

  /**
   * What was said by somebody who may have said it long before: of that which nobody remembers all was heard through the
   * journal meanwhile.
   * @param behindMs by how much their clock is behind ours
   */
  receiveFromReturned(events: readonly Event[], behindMs: number): void {
    this.receive(
      events.filter(({ id }) => id === undefined || idTime(id) + behindMs >= this.#rememberedSince),
    )
  }

  /** A sign came back that this process published then: everything before it is heard. */
  prove(sentAt: { wall: number; monotonic: number }): void {
    if (!this.isLive) return
    this.#know(sentAt.wall)
    this.#deps.bus.freshness.holdUntil(sentAt.monotonic + PROOF_OF_ECHO_MS)
  }

  fallBehind(): void {
    this.#waiting ??= []
  }

  /** Everything was heard: what waited comes now, and then events as they are published. */
  goLive(): void {
    const waiting = this.#waiting ?? []
    this.#waiting = undefined
    this.#deliver(waiting)
  }

  /** @returns whether all that came meanwhile could be kept: if not, it must be read from the journal, too */
  async catchUp(): Promise<boolean> {
    // What waits was committed before: it is in the journal that is read now.
    this.#waiting = this.#waiting?.filter((event) => !isJournaled(event))
    await this.follow()
    return (this.#waiting?.length ?? 0) < MAX_WAITING
  }

  /** Reads all that was not heard until now, which proves that this is so. */
  async follow(): Promise<void> {
    const began = { wall: Date.now(), monotonic: performance.now() }
    await this.reread(this.#knownUntil - SOONER_MS)
    this.#know(began.wall)
    this.#deps.bus.freshness.holdUntil(began.monotonic + PROOF_OF_JOURNAL_MS)
  }

  /**
   * Hears what is in the journal since then, and was not heard. What was read without a gap is not read again.
   * @param since milliseconds since 1970
   */
  async reread(since: number): Promise<void> {
    const began = Date.now()
    const unread = since < this.#read.since ? since : Math.max(since, this.#read.until)
    if (unread < this.#rememberedSince) this.#forget()
    try {
      await this.#readFrom(Math.max(unread - OVERLAP_MS, this.#rememberedSince))
    } catch (error) {
      // Nobody tells it again: whoever catches up begins there.
      this.#knownUntil = Math.min(this.#knownUntil, unread + SOONER_MS)
      throw error
    }
    this.#noteRead(unread, began)
  }

  async #readFrom(since: number): Promise<void> {
    for await (const events of readUnheard(this.#deps.database, since, this.#heard)) {
      this.#deps.onCaughtUp(events.length)
      this.#deliver(events)
    }
  }

  #noteRead(since: number, until: number): void {
    const isApart = since > this.#read.until || until < this.#read.since
    this.#read = isApart ? { since, until } : spanOf(this.#read, { since, until })
  }

  /** Nobody knows any more what was heard of that time: what is kept may be older. */
  #forget(): void {
    this.#deps.bus.freshness.end()
    this.#deps.onForgotten()
  }

  #note(events: readonly Event[]): void {
    for (const { id } of events) if (id !== undefined) this.#heard.add(id)
  }

  #know(until: number): void {
    this.#knownUntil = until
    this.#rememberedSince = Math.max(this.#rememberedSince, until - REMEMBERED_MS)
    this.#heard.forgetBefore(this.#rememberedSince)
  }

  #deliver(events: readonly Event[]): void {
    const unheard = events.filter(({ id }) => id === undefined || !this.#heard.has(id))
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

/** Who is there is not told again; that somebody was typing is of no use to anybody later. */
function isWorthWaiting(event: Event): boolean {
  return isJournaled(event) || event.topic.kind === 'presence'
}
