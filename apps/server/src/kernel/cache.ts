import { LRUCache } from 'lru-cache'

/**
 * Answers by key, loaded once and kept until `drop`. The promise itself is kept: a `drop` while a load is under way
 * forgets that load, so that an answer older than the change is given to nobody who asks after it. What is not there is
 * not kept: strangers could make up keys until everything else is pushed out.
 */
export class Cache<V> {
  readonly #entries: LRUCache<string, Promise<V>>
  readonly #loaded = new WeakMap<Promise<V>, V>()
  readonly #load: (key: string) => Promise<V>

  constructor(max: number, load: (key: string) => Promise<V>) {
    this.#entries = new LRUCache({ max })
    this.#load = load
  }

  get(key: string): Promise<V> {
    const known = this.#entries.get(key)
    if (known !== undefined) return known
    const entry = this.#load(key)
    this.#entries.set(key, entry)
    const forget = () => {
      if (this.#entries.peek(key) === entry) this.#entries.delete(key)
    }
    entry.then((value) => {
      this.#loaded.set(entry, value)
      if (value === undefined) forget()
    }, forget)
    return entry
  }

  /** What is kept right now; undefined for what is not, or is still being loaded. */
  peek(key: string): V | undefined {
    const entry = this.#entries.peek(key)
    return entry && this.#loaded.get(entry)
  }

  drop(key: string): void {
    this.#entries.delete(key)
  }
}
