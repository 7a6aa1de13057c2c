import { LRUCache } from 'lru-cache'
import type { Freshness } from './cluster/freshness.ts'

/**
 * What was used last, up to so many entries. By their size, which is one: given a number of them instead, the library
 * takes the room for all at once, for our caches together 18 MB and 85 ms of every start.
 */
export function growingLru<V extends object | number>(maxEntries: number): LRUCache<string, V> {
  return new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1 })
}

export interface CacheOptions<V> {
  /** Of all entries together. */
  maxWeight: number
  /** At least 1 for each. */
  weigh: (value: V) => number
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
  readonly #weigh: ((value: V) => number) | undefined
  #epoch = 0

  /** @param bound a number of entries, or their weight: until an entry is loaded it weighs 1 */
  constructor(bound: number | CacheOptions<V>, freshness: Freshness, load: (key: string) => Promise<V>) {
    const { maxWeight, weigh } = typeof bound === 'number' ? { maxWeight: bound, weigh: undefined } : bound
    this.#entries = growingLru(maxWeight)
    this.#weigh = weigh
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
      else if (this.#weigh !== undefined) this.#reweigh(key, entry, this.#weigh(value))
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

  #reweigh(key: string, entry: Promise<V>, size: number): void {
    if (this.#entries.peek(key) !== entry) return
    // The library takes no other size for a value that it has.
    this.#entries.delete(key)
    this.#entries.set(key, entry, { size })
  }

  #known(key: string): Promise<V> | undefined {
    const { isHeld, epoch } = this.#freshness
    if (epoch !== this.#epoch) this.#entries.clear()
    this.#epoch = epoch
    return isHeld ? this.#entries.get(key) : undefined
  }
}
