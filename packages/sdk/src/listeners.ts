import { isolate } from './subscribers.ts'

/** The listeners of one kind of event. */
export class Listeners<Values extends readonly unknown[]> {
  readonly #all = new Set<(...values: Values) => void>()

  /** @returns a function that removes the listener */
  add(listener: (...values: Values) => void): () => void {
    this.#all.add(listener)
    return () => this.#all.delete(listener)
  }

  notify(...values: Values): void {
    for (const listener of this.#all) isolate(() => listener(...values))
  }
}
