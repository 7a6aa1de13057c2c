import { LRUCache } from 'lru-cache'
import type { Freshness } from './cluster/freshness.ts'

/**
 * What was used last, up to so many entries. By their size, which is one: given a number of them instead, the library
 * takes the room for all at once, for our caches together 18 MB and 85 ms of every start.
 */
export function growingLru<V extends object | number>(maxEntries: number): LRUCache<string, V> {
  return new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1 })
}

/**
 * Answers by key, loaded once and kept until `drop`. The promise itself is kept: a `drop` while a load is under way
 * forgets that load, so that an answer older than the change is given to nobody who asks after it. What is not there is
 * not kept: strangers could make up keys until everything else is pushed out. A process that cannot know what others
 * changed loads everything anew.
 */
export class Cache<V> {
  readonly #entries: LRUCache<string, Promise<V>>
  readonly #loaded = new WeakMap<Promise<V>, V>()
  readonly #freshness: Freshness
  readonly #load: (key: string) => Promise<V>
  #epoch = 0

  constructor(max: number, freshness: Freshness, load: (key: string) => Promise<V>) {
    this.#entries = growingLru(max)
    this.#freshness = freshness
    this.#load = load
  }

  get(key: string): Promise<V> {
    const known = this.#known(key)
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

  #known(key: string): Promise<V> | undefined {
    const { isHeld, epoch } = this.#freshness
    if (epoch !== this.#epoch) this.#entries.clear()
    this.#epoch = epoch
    return isHeld ? this.#entries.get(key) : undefined
  }
}
