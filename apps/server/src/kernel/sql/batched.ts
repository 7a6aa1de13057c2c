interface Asked<Key, Value> {
  readonly key: Key
  readonly answer: PromiseWithResolvers<Value>
}

export interface BatchBounds {
  maxKeys: number
  /** Maximum number of simultaneous batches. */
  atOnce: number
  /**
   * Milliseconds from the beginning of a batch to the beginning of the next, which then answers more questions. A full
   * batch begins earlier. There is no pause after a batch of one question.
   */
  pauseMs: number
}

/** Loads the data of all keys, and returns a function that finds the data of one key. */
export type LoadBatch<Key, Value> = (keys: readonly Key[]) => Promise<(key: Key) => Value>

/**
 * Answers many questions with one statement: those of one turn of the event loop, those that arrive during the pause
 * after a batch, and those that arrive while the maximum of batches is running. A batch begins after its questions were
 * asked, so that no answer is older than its question.
 */
export class Batched<Key, Value> {
  readonly #bounds: BatchBounds
  readonly #load: LoadBatch<Key, Value>
  readonly #waiting: Asked<Key, Value>[] = []
  #underWay = 0
  #isScheduled = false
  /** End of the pause, a value of performance.now(). */
  #pausedUntil = 0
  #pause: NodeJS.Timeout | undefined

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
    const restMs = this.#pausedUntil - performance.now()
    if (this.#waiting.length < this.#bounds.maxKeys && restMs > 0) return this.#endPauseIn(restMs)
    this.#isScheduled = true
    setImmediate(() => this.#begin())
  }

  #endPauseIn(ms: number): void {
    this.#pause ??= setTimeout(() => {
      this.#pause = undefined
      this.#schedule()
    }, ms)
  }

  #begin(): void {
    this.#isScheduled = false
    this.#underWay += 1
    clearTimeout(this.#pause)
    this.#pause = undefined
    const batch = this.#waiting.splice(0, this.#bounds.maxKeys)
    this.#pausedUntil = batch.length > 1 ? performance.now() + this.#bounds.pauseMs : 0
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
