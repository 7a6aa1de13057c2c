import { isolate } from './subscribers.ts'

/** The listeners of one kind of event. */
export class Listeners<Told extends readonly unknown[]> {
  readonly #all = new Set<(...told: Told) => void>()

  /** @returns what ends it */
  add(listener: (...told: Told) => void): () => void {
    this.#all.add(listener)
    return () => this.#all.delete(listener)
  }

  tell(...told: Told): void {
    for (const listener of this.#all) isolate(() => listener(...told))
  }
}
