import type { Bus, Event } from '../bus.ts'
import type { Queryable } from '../sql.ts'
import { readUnheard } from './journal-tail.ts'
import { RecentIds } from './recent-ids.ts'

/** An id is older than the commit of its row by the wait for a connection and a transaction, each 5 s at most. */
const OVERLAP_MS = 10_000
const REMEMBERED_MS = 2 * OVERLAP_MS
/** What the journal proved holds this long: a little longer than until the next look. */
const PROOF_OF_JOURNAL_MS = 1500
const PROOF_OF_ECHO_MS = 2000
/** Events that wait until this process has caught up. More than that are sooner read from the journal. */
const MAX_WAITING = 50_000

export interface StreamDeps {
  bus: Bus
  database: Queryable
  onCaughtUp: (count: number) => void
}

/**
 * What other processes committed, each event once. While it is live, events come as they are published. While it is behind,
 * what was missed is read from the journal, and what is published waits: a later change must not overtake an earlier one.
 */
export class Stream {
  readonly #deps: StreamDeps
  readonly #heard = new RecentIds(REMEMBERED_MS)
  #waiting: Event[] | undefined
  /** All that was committed before is heard; milliseconds since 1970. */
  #knownUntil = Date.now()

  constructor(deps: StreamDeps) {
    this.#deps = deps
  }

  get isLive(): boolean {
    return this.#waiting === undefined
  }

  /** This process published them itself. */
  note(events: readonly Event[]): void {
    for (const { id } of events) if (id !== undefined) this.#heard.add(id)
  }

  receive(events: readonly Event[]): void {
    if (this.#waiting === undefined) return this.#deliver(events)
    if (this.#waiting.length < MAX_WAITING) this.#waiting.push(...events)
  }

  /** A sign came back that this process published then: everything before it is heard. */
  prove(sentAt: { wall: number; monotonic: number }): void {
    if (!this.isLive) return
    this.#knownUntil = sentAt.wall
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

  /** @returns whether all that waited could be kept meanwhile: if not, it must be read from the journal, too */
  async catchUp(): Promise<boolean> {
    const began = { wall: Date.now(), monotonic: performance.now() }
    const isComplete = (this.#waiting?.length ?? 0) < MAX_WAITING
    if (!isComplete) this.#waiting = []
    await this.reread(this.#knownUntil)
    this.#knownUntil = began.wall
    this.#deps.bus.freshness.holdUntil(began.monotonic + PROOF_OF_JOURNAL_MS)
    return isComplete
  }

  /**
   * Hears what is in the journal since then, and was not heard.
   * @param since milliseconds since 1970
   */
  async reread(since: number): Promise<void> {
    for await (const events of readUnheard(this.#deps.database, since - OVERLAP_MS, this.#heard)) {
      this.#deps.onCaughtUp(events.length)
      this.#deliver(events)
    }
  }

  #deliver(events: readonly Event[]): void {
    const unheard = events.filter(({ id }) => id === undefined || !this.#heard.has(id))
    this.note(unheard)
    if (unheard.length > 0) this.#deps.bus.receive(unheard)
  }
}
