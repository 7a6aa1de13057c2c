import { ApiError } from '../errors.ts'

interface Waiting {
  readonly since: number
  readonly begin: () => void
  readonly refuse: (error: ApiError) => void
}

export interface TurnsOptions {
  /** Maximum number of running tasks, for all keys together. */
  atOnce: number
  /** Maximum number of waiting tasks of one key. */
  maxWaiting: number
  maxWaitMs: number
}

/**
 * Runs the tasks of each key in order, one at a time. Keys take turns: a key with a hundred waiting tasks delays
 * another key by one task.
 */
export class Turns {
  readonly #options: TurnsOptions
  /** Waiting tasks by key, with the next key first. No list is empty. */
  readonly #lines = new Map<string, Waiting[]>()
  readonly #busy = new Set<string>()
  /** Keys whose next task waits for a rest to end. They do not count towards `atOnce`. */
  readonly #resting = new Set<string>()
  #waiting = 0

  constructor(options: TurnsOptions) {
    this.#options = options
  }

  /** Tasks that have not begun. */
  get waiting(): number {
    return this.#waiting
  }

  /**
   * @param restOf milliseconds from the end of the task until the key's next task begins; 0 by default
   * @throws ApiError 503 if too many tasks of the key wait, or this task has waited too long
   */
  async run<T>(key: string, work: () => Promise<T>, restOf: (result: T) => number = () => 0): Promise<T> {
    const leave = await this.enter(key)
    try {
      const result = await work()
      this.#rest(key, restOf(result))
      return result
    } finally {
      leave()
    }
  }

  /**
   * Begins a turn.
   * @returns the function that ends the turn, which does nothing when called again
   * @throws ApiError 503 in the same cases as `run`
   */
  async enter(key: string): Promise<() => void> {
    await this.#turn(key)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.#busy.delete(key)
      this.#next()
    }
  }

  #turn(key: string): Promise<void> {
    const line = this.#lines.get(key) ?? []
    if (line.length >= this.#options.maxWaiting) throw new ApiError('unavailable')
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    line.push({ since: performance.now(), begin: resolve, refuse: reject })
    this.#lines.set(key, line)
    this.#waiting += 1
    this.#next()
    return promise
  }

  #next(): void {
    while (this.#busy.size < this.#options.atOnce) {
      const key = this.#firstFree()
      const waiting = key === undefined ? undefined : this.#take(key)
      if (key === undefined || waiting === undefined) return
      this.#start(key, waiting)
    }
  }

  #rest(key: string, ms: number): void {
    if (ms <= 0) return
    this.#resting.add(key)
    setTimeout(() => {
      this.#resting.delete(key)
      this.#next()
    }, ms)
  }

  /** A task that waited too long is refused when its turn comes: its client has given up, or will soon. */
  #start(key: string, { since, begin, refuse }: Waiting): void {
    if (performance.now() - since > this.#options.maxWaitMs) return refuse(new ApiError('unavailable'))
    this.#busy.add(key)
    begin()
  }

  /** Returns the first key that is neither busy nor resting. It skips only busy and resting keys, so it is quick. */
  #firstFree(): string | undefined {
    for (const key of this.#lines.keys()) if (!this.#busy.has(key) && !this.#resting.has(key)) return key
    return undefined
  }

  #take(key: string): Waiting | undefined {
    const line = this.#lines.get(key) ?? []
    const waiting = line.shift()
    this.#lines.delete(key)
    if (line.length > 0) this.#lines.set(key, line)
    this.#waiting -= 1
    return waiting
  }
}
