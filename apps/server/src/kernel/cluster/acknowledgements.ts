import { newId } from '../ids.ts'

/**
 * Who does not acknowledge by then is cut off and has noticed, or this process is, and the others have: its beats ended for
 * them two seconds ago, or came late. Then they read the journal, and answer from no cache that it did not prove.
 */
export const MAX_ACKNOWLEDGEMENT_MS = 4500

interface Awaited {
  missing: number
  resolve: () => void
}

/** What must be heard by every other process before its sender goes on. */
export class Acknowledgements {
  readonly #awaited = new Map<string, Awaited>()

  /**
   * @param count how many are to come
   * @returns what they name, and what resolves when all have come, or the time is over
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

  hear(id: string): void {
    const awaited = this.#awaited.get(id)
    if (awaited === undefined) return
    awaited.missing -= 1
    if (awaited.missing === 0) awaited.resolve()
  }
}
