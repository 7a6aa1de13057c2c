import { LRUCache } from 'lru-cache'
import type { Freshness } from './cluster/freshness.ts'

/**
 * Returns an LRU cache. Its limit is a total size, to which each entry adds 1: with a limit by number, the library
 * allocates all slots in advance, which took 18 MB and 85 ms at every start for our caches together.
 * @param ttl milliseconds that an entry is kept; 0 for no limit
 */
export function growingLru<V extends object | number>(maxEntries: number, ttl = 0): LRUCache<string, V> {
  return new LRUCache({ maxSize: maxEntries, sizeCalculation: () => 1, ttl })
}

export interface CacheOptions<V> {
  /** Maximum weight of all entries together. */
  maxWeight: number
  /** Returns the weight of one entry, at least 1. */
  weigh: (value: V) => number
}

/**
 * Caches values by key, loaded once and kept until `drop`. It keeps the promise itself: a `drop` during a load forgets
 * that load, so that no later caller gets an answer older than the change. Missing values are not kept, because made-up
 * keys could evict everything else. A process that does not receive other processes' changes loads every time.
 */
export class Cache<V> {
  readonly #entries: LRUCache<string, Promise<V>>
  readonly #loaded = new WeakMap<Promise<V>, V>()
  readonly #freshness: Freshness
  readonly #load: (key: string) => Promise<V>
  readonly #weigh: ((value: V) => number) | undefined
  #epoch = 0

  /** @param bound a number of entries, or their weight; an entry weighs 1 until it is loaded */
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

  /** Returns the value if it is loaded; undefined otherwise. */
  peek(key: string): V | undefined {
    const entry = this.#entries.peek(key)
    return entry && this.#loaded.get(entry)
  }

  drop(key: string): void {
    this.#entries.delete(key)
  }

  #reweigh(key: string, entry: Promise<V>, size: number): void {
    if (this.#entries.peek(key) !== entry) return
    // The library does not change the size of a value it already has.
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
