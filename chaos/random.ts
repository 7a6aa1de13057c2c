/** A seeded random generator, so that a run of faults and changes can be repeated. */
export class Dice {
  #state: number

  /** @param name each part of a run has its own generator, so that parts do not affect each other */
  constructor(seed: number, name: string) {
    this.#state = [...name].reduce((hash, char) => Math.imul(hash ^ char.charCodeAt(0), 16_777_619), seed)
  }

  /** From 0 up to 1, without it. Source: mulberry32 by Tommy Ettinger, public domain. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least)
  }

  below(count: number): number {
    return Math.floor(this.next() * count)
  }

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<Item>(items: readonly Item[]): Item | undefined {
    return items[this.below(items.length)]
  }

  /** Picks items in proportion to their weight. */
  pickByWeight<Item extends { weight: number }>(items: readonly Item[]): Item | undefined {
    const ends: number[] = []
    for (const { weight } of items) ends.push((ends.at(-1) ?? 0) + weight)
    const point = this.next() * (ends.at(-1) ?? 0)
    return items[ends.findIndex((end) => end > point)]
  }

  shuffle<Item>(items: readonly Item[]): Item[] {
    return items
      .map((item) => ({ item, point: this.next() }))
      .sort((one, other) => one.point - other.point)
      .map(({ item }) => item)
  }
}
