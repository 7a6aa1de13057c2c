interface Asked<Key, Value> {
  readonly key: Key
  readonly answer: PromiseWithResolvers<Value>
}

export interface BatchBounds {
  maxKeys: number
  /** Maximum number of simultaneous batches. */
  atOnce: number
}

/** Loads the data of all keys, and returns a function that finds the data of one key. */
export type LoadBatch<Key, Value> = (keys: readonly Key[]) => Promise<(key: Key) => Value>

/**
 * Answers many questions with one statement: those of one turn of the event loop, and those that arrive while the
 * maximum of batches is running. A batch begins after its questions were asked, so that no answer is older than its
 * question.
 */
export class Batched<Key, Value> {
  readonly #bounds: BatchBounds
  readonly #load: LoadBatch<Key, Value>
  readonly #waiting: Asked<Key, Value>[] = []
  #underWay = 0
  #isScheduled = false

  constructor(bounds: BatchBounds, load: LoadBatch<Key, Value>) {
    this.#bounds = bounds
    this.#load = load
  }

  ask(key: Key): Promise<Value> {
    const answer = Promise.withResolvers<Value>()
    this.#waiting.push({ key, answer })
    this.#schedule()
    return answer.promise
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.length === 0 || this.#underWay >= this.#bounds.atOnce) return
    this.#isScheduled = true
    setImmediate(() => this.#begin())
  }

  #begin(): void {
    this.#isScheduled = false
    this.#underWay += 1
    const batch = this.#waiting.splice(0, this.#bounds.maxKeys)
    this.#schedule()
    this.#answer(batch).finally(() => {
      this.#underWay -= 1
      this.#schedule()
    })
  }

  async #answer(batch: readonly Asked<Key, Value>[]): Promise<void> {
    try {
      const find = await this.#load(batch.map(({ key }) => key))
      for (const { key, answer } of batch) answer.resolve(find(key))
    } catch (error) {
      for (const { answer } of batch) answer.reject(error)
    }
  }
}
