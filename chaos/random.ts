import { Random } from '../apps/server/test/fuzz/random.ts'

/** A seeded random generator, so that a run of faults and changes can be repeated. */
export class Dice {
  readonly #random: Random

  /** @param name part of the run: each part has its own generator, so that parts do not affect each other */
  constructor(seed: number, name: string) {
    const mixed = [...name].reduce((hash, char) => Math.imul(hash ^ char.charCodeAt(0), 16_777_619), seed)
    this.#random = new Random(mixed)
  }

  /** Returns a number from 0 to 1, excluding 1. */
  next(): number {
    return this.#random.next()
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least)
  }

  below(count: number): number {
    return this.#random.below(count)
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
    return this.#random.shuffled(items)
  }
}
