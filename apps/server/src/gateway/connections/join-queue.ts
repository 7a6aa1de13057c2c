interface Waiting {
  readonly cost: number
  readonly since: number
  readonly begin: () => void
}

/** Cost units of each kind of work. An IDENTIFY needs almost ten times as much of the database as a RESUME. */
export const JoinCost = { Resume: 1, Page: 4, Identify: 8 } as const
/** Weight of an ordinary READY, in rows of its spaces. */
const USUAL_WEIGHT = 5000

/** Returns the cost of a READY by the rows of its spaces. The largest READYs take half of the capacity each. */
export function costOfReady(weight: number): number {
  return Math.min(
    CAPACITY,
    Math.max(JoinCost.Identify, Math.ceil((JoinCost.Identify * weight) / USUAL_WEIGHT)),
  )
}

/**
 * Maximum total cost of the work that runs simultaneously. Measured with 5,000 clients: less leaves PostgreSQL idle, more
 * makes everyone wait and uses memory.
 */
const CAPACITY = 128
/** The queue refuses new clients once the oldest request has waited for `from`, until that wait is below `until` again. */
const MAX_WAIT_MS = { from: 2000, until: 500 }

/** Runs the work of joining connections in order of arrival, limited by its cost. */
export class JoinQueue {
  readonly #waiting: Waiting[] = []
  #free = CAPACITY
  #isFull = false

  /** Joins that have not begun. */
  get length(): number {
    return this.#waiting.length
  }

  /** True if a client that arrives now would wait too long. */
  isFull(now: number): boolean {
    const [oldest] = this.#waiting
    const waited = oldest === undefined ? 0 : now - oldest.since
    this.#isFull = waited > (this.#isFull ? MAX_WAIT_MS.until : MAX_WAIT_MS.from)
    return this.#isFull
  }

  async run<T>(cost: number, work: () => Promise<T>): Promise<T> {
    await this.#turn(cost)
    try {
      return await work()
    } finally {
      this.#free += cost
      this.#next()
    }
  }

  #turn(cost: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push({ cost, since: Date.now(), begin: resolve })
    this.#next()
    return promise
  }

  #next(): void {
    for (
      let first = this.#waiting[0];
      first !== undefined && first.cost <= this.#free;
      first = this.#waiting[0]
    ) {
      this.#waiting.shift()
      this.#free -= first.cost
      first.begin()
    }
  }
}
