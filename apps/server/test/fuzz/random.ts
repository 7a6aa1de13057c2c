/** Pseudorandom numbers from a seed. Source: mulberry32, by Tommy Ettinger, public domain. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** Returns a number from 0 up to, but not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** Returns a whole number from 0 up to, but not including, the count. */
  below(count: number): number {
    return Math.floor(this.next() * count)
  }

  isWithin(chance: number): boolean {
    return this.next() < chance
  }

  /** @throws Error for an empty list */
  pick<T>(list: readonly T[]): T {
    const found = list[this.below(list.length)]
    if (found === undefined) throw new Error('there is nothing to pick from')
    return found
  }

  shuffled<T>(list: readonly T[]): T[] {
    return list
      .map((value) => ({ value, order: this.next() }))
      .toSorted((one, other) => one.order - other.order)
      .map(({ value }) => value)
  }
}
