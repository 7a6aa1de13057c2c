import type { Bus, Event } from '../bus.ts'
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
    const began = { wall: Date.now(), monotonic: performance.now() }
    // What waits was committed before: it is in the journal that is read now.
    this.#waiting = this.#waiting?.filter((event) => !isJournaled(event))
    await this.reread(this.#knownUntil)
    this.#know(began.wall)
    this.#deps.bus.freshness.holdUntil(began.monotonic + PROOF_OF_JOURNAL_MS)
    return (this.#waiting?.length ?? 0) < MAX_WAITING
  }

  /**
   * Hears what is in the journal since then, and was not heard.
   * @param since milliseconds since 1970
   */
  async reread(since: number): Promise<void> {
    if (since < this.#rememberedSince) this.#deps.onForgotten()
    const from = Math.max(since - OVERLAP_MS, this.#rememberedSince)
    for await (const events of readUnheard(this.#deps.database, from, this.#heard)) {
      this.#deps.onCaughtUp(events.length)
      this.#deliver(events)
    }
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

function isJournaled({ id }: Event): boolean {
  return id !== undefined
}

/** Who is there is not told again; that somebody was typing is of no use to anybody later. */
function isWorthWaiting(event: Event): boolean {
  return isJournaled(event) || event.topic.kind === 'presence'
}
