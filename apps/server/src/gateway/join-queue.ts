interface Waiting {
  readonly cost: number
  readonly since: number
  readonly begin: () => void
}

/** How much work may be under way: an IDENTIFY asks ten times as much of the database as a RESUME. */
export const JoinCost = { Resume: 1, Page: 4, Identify: 8 } as const
/** Rows of spaces in a READY that need no more than the usual cost. */
const USUAL_WEIGHT = 5000

/** READY by the rows of its spaces: of the largest, one is made at a time, beside ordinary ones. */
export function costOfReady(weight: number): number {
  return Math.min(
    CAPACITY,
    Math.max(JoinCost.Identify, Math.ceil((JoinCost.Identify * weight) / USUAL_WEIGHT)),
  )
}

/** Measured with 5,000 clients: less leaves PostgreSQL idle, more only makes all of them wait, and the memory grow. */
const CAPACITY = 128
/** While somebody has waited for longer, nobody else is let in; and not again before it is well under that. */
const MAX_WAIT_MS = { from: 2000, until: 500 }

/** Does the work of connections that join in the order in which they came, and only so much of it at once. */
export class JoinQueue {
  readonly #waiting: Waiting[] = []
  #free = CAPACITY
  #isFull = false

  /** Joins that have not begun. */
  get length(): number {
    return this.#waiting.length
  }

  /** Whether those who come now would wait for too long. */
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
