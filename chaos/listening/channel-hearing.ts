/** How a client came to know of a channel: READY stands for all before it, any other telling only begins something. */
export type Origin = 'ready' | 'told'

/** What became of a message that a client heard of, after it was created. */
export interface Changed {
  content?: string
  isDeleted: boolean
  /** Who reacted, by emoji. */
  reactions: Map<string, Set<string>>
}

export type HeardAs = 'next' | 'early' | 'late' | 'old' | 'again'

/** What one client has heard of one channel since it was told of it. `seq` counts by one, and so shows what is missing. */
export class ChannelHearing {
  /** The seq that the client was told with the channel: what comes after it must be heard. */
  readonly base: number
  readonly origin: Origin
  /** On the clock of the run. */
  readonly toldAt = performance.now()
  /** Gaps: what a later message came before. */
  readonly missing = new Set<number>()
  readonly changes = new Map<string, Changed>()
  /** What was heard though it was before the base. */
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

  hear(seq: number): HeardAs {
    if (seq <= this.base) return this.#hearOld(seq)
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

  /** What is known of the message, made when there is nothing yet. */
  changeOf(messageId: string): Changed {
    const known = this.changes.get(messageId) ?? { isDeleted: false, reactions: new Map() }
    this.changes.set(messageId, known)
    return known
  }

  #hearOld(seq: number): HeardAs {
    if (this.#old.has(seq)) return 'again'
    this.#old.add(seq)
    return 'old'
  }
}
