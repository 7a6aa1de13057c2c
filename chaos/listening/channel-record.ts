/** How a client learned of a channel: from READY, which covers all earlier messages, or from an event, which does not. */
export type Origin = 'ready' | 'event'

/** Changes of a message after its creation, as a client received them. */
export interface Changed {
  content?: string
  isDeleted: boolean
  /** Users by emoji. */
  reactions: Map<string, Set<string>>
}

export type Arrival = 'next' | 'early' | 'late' | 'old' | 'again'

/** Messages that one client received in one channel since it learned of the channel. Gaps in `seq` show lost messages. */
export class ChannelRecord {
  /** The seq announced with the channel. Every later message must arrive. */
  readonly base: number
  readonly origin: Origin
  /** Time at which the client learned of the channel, on the clock of the run. */
  readonly announcedAt = performance.now()
  /** Sequence numbers that were skipped and have not arrived yet. */
  readonly missing = new Set<number>()
  readonly changes = new Map<string, Changed>()
  /** Sequence numbers up to `base` that were received nevertheless. */
  readonly #old = new Set<number>()
  #next: number

  constructor(base: number, origin: Origin) {
    this.base = base
    this.origin = origin
    this.#next = base + 1
  }

  get last(): number {
    return this.#next - 1
  }

  receive(seq: number): Arrival {
    if (seq <= this.base) return this.#receiveOld(seq)
    if (seq < this.#next) return this.missing.delete(seq) ? 'late' : 'again'
    const isNext = seq === this.#next
    for (let gap = this.#next; gap < seq; gap += 1) this.missing.add(gap)
    this.#next = seq + 1
    return isNext ? 'next' : 'early'
  }

  has(seq: number): boolean {
    if (seq <= this.base) return this.#old.has(seq)
    return seq < this.#next && !this.missing.has(seq)
  }

  /** Returns the recorded changes of a message, which are empty at first. */
  changeOf(messageId: string): Changed {
    const known = this.changes.get(messageId) ?? { isDeleted: false, reactions: new Map() }
    this.changes.set(messageId, known)
    return known
  }

  #receiveOld(seq: number): Arrival {
    if (this.#old.has(seq)) return 'again'
    this.#old.add(seq)
    return 'old'
  }
}
