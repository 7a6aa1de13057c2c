import { type Letters, TABLE_SIZE } from './letters.ts'
import type { Pattern } from './patterns.ts'

/** Symbols of the automaton that are not a class of letters. */
export const UNKNOWN = 0
export const BOUNDARY = 1
const SMALL = 0x3000

/** The classes of letters that occur in the patterns of a matcher, as small numbers: the symbols of its automaton. */
export class Alphabet {
  readonly letters: Letters
  readonly #small = new Uint16Array(SMALL)
  readonly #others = new Map<number, number>()
  readonly #apart: boolean[] = [false, false]
  /** Ids of the skeletons with several characters that letters in the patterns have. */
  readonly #wide = new Set<number>()
  readonly #seen = new Set<number>()
  /**
   * Pairs of letters that together look like one letter: skeleton of the second → skeleton of the first → id of both
   * together.
   */
  readonly #pairs = new Map<number, Map<number, number>>()

  constructor(letters: Letters) {
    this.letters = letters
  }

  /** Symbol for a character or a skeleton; UNKNOWN if no pattern has a letter of its class. */
  symbolOf(id: number): number {
    const group = this.letters.classes[id] ?? id
    return group < SMALL ? (this.#small[group] ?? UNKNOWN) : (this.#others.get(group) ?? UNKNOWN)
  }

  /** Number of symbols. */
  get size(): number {
    return this.#apart.length
  }

  /** True for a letter of a script without spaces, or a symbol such as an emoji: each is a word. */
  isApart(symbol: number): boolean {
    return this.#apart[symbol] === true
  }

  /**
   * Returns the letters that, followed by this one, look like a single letter of a pattern: their skeletons → id of
   * the skeleton of both.
   */
  pairsWith(code: number): ReadonlyMap<number, number> | undefined {
    return this.#pairs.get(this.letters.skeletons[code] ?? code)
  }

  /** Returns the symbols that the automaton must read to find a pattern. */
  spell(pattern: Pattern): number[] {
    const symbols: number[] = pattern.isOpenBefore ? [] : [BOUNDARY]
    for (const [index, letter] of pattern.letters.entries()) {
      const symbol = this.#learn(letter)
      if (pattern.breaks.has(index) || this.isApart(symbol)) addBoundary(symbols)
      symbols.push(symbol)
      if (this.isApart(symbol)) symbols.push(BOUNDARY)
    }
    if (!pattern.isOpenAfter) addBoundary(symbols)
    return symbols
  }

  /** Finds the pairs of letters. Must be called after all patterns are spelled. */
  close(): void {
    const { skeletonIds, skeletons } = this.letters
    for (const [skeleton, id] of skeletonIds) {
      const [first = 0, second = 0, third] = Array.from(skeleton, (letter) => letter.codePointAt(0) ?? 0)
      if (third !== undefined || !this.#wide.has(id)) continue
      this.#addPair(skeletons[first] ?? first, skeletons[second] ?? second, id)
    }
    const [v = 0, w = 0] = ['v', 'w'].map((letter) => letter.charCodeAt(0))
    if (this.symbolOf(w) !== UNKNOWN) this.#addPair(v, v, w)
  }

  #addPair(first: number, second: number, id: number): void {
    const firsts = this.#pairs.get(second) ?? new Map<number, number>()
    this.#pairs.set(second, firsts.set(first, id))
  }

  #learn(letter: number): number {
    if (!this.#seen.has(letter)) this.#addSkeletons(letter)
    const known = this.symbolOf(letter)
    if (known !== UNKNOWN) return known
    const group = this.letters.classes[letter] ?? letter
    const symbol = this.#apart.length
    if (group < SMALL) this.#small[group] = symbol
    else this.#others.set(group, symbol)
    this.#apart.push(group < TABLE_SIZE && this.letters.apart[group] === 1)
    return symbol
  }

  #addSkeletons(letter: number): void {
    this.#seen.add(letter)
    const { skeletons, upperSkeletons } = this.letters
    for (const id of [skeletons[letter] ?? 0, upperSkeletons[letter] ?? 0])
      if (id >= TABLE_SIZE) this.#wide.add(id)
  }
}

/** Adds a boundary, unless the last symbol is one already. */
export function addBoundary(symbols: number[]): void {
  if (symbols.at(-1) !== BOUNDARY) symbols.push(BOUNDARY)
}
