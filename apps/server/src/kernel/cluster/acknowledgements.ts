import { newId } from '../ids.ts'

/**
 * Time to wait for an acknowledgement. After that, either the other process or this one is cut off, and has detected it:
 * beats have stopped for two seconds, or arrived late. A cut-off process reads the journal, and answers from no cache
 * until it has caught up.
 */
export const MAX_ACKNOWLEDGEMENT_MS = 4500

interface Awaited {
  missing: number
  resolve: () => void
}

/** Messages that all other processes must have received before the sender continues. */
export class Acknowledgements {
  readonly #awaited = new Map<string, Awaited>()

  /**
   * @param count number of acknowledgements to wait for
   * @returns the id to acknowledge, and a promise that resolves after all have arrived, or after a time limit
   */
  expect(count: number): { id: string; all: Promise<void> } {
    const id = newId()
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, MAX_ACKNOWLEDGEMENT_MS).unref()
    this.#awaited.set(id, { missing: count, resolve })
    if (count === 0) resolve()
    const all = promise.finally(() => {
      clearTimeout(timer)
      this.#awaited.delete(id)
    })
    return { id, all }
  }

  receive(id: string): void {
    const awaited = this.#awaited.get(id)
    if (awaited === undefined) return
    awaited.missing -= 1
    if (awaited.missing === 0) awaited.resolve()
  }
}
