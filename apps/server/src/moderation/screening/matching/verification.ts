import { type Alphabet, BOUNDARY } from './alphabet.ts'
import { type Reading, SEPARATING, SKIPPABLE } from './reading.ts'

/** Matches a word that begins with rn or contains vv: not a word of a language, but m or w in disguise. */
const DISGUISED = /^rn|vv/
const PLAIN = /^(?:[a-z]+|[A-Z][a-z]*|[A-Z]+|\d+)$/

/** The letters of a word of a rule, as verification needs them. */
export interface Spelling {
  readonly letters: Int32Array
  /** Range in `letters`. */
  readonly from: number
  readonly to: number
  readonly isOpenBefore: boolean
}

/** Letter comparisons left for a text. */
export interface Work {
  left: number
}

/** Marks a letter before which a word of a phrase begins. */
export const BREAK = 0x200000

/**
 * Verifies, letter by letter, the candidates that the automaton found by classes of letters. A character fits if it
 * folds to the letter or has its skeleton. A word of plain letters must match exactly: fall is not a disguise of
 * fail.
 */
export class Verification {
  readonly #reading: Reading
  readonly #alphabet: Alphabet
  readonly #work: Work

  constructor(reading: Reading, alphabet: Alphabet, work: Work) {
    this.#work = work
    this.#reading = reading
    this.#alphabet = alphabet
  }

  /** Returns the node at which a match ending at `node` begins; undefined if there is no match. */
  startOf(spelling: Spelling, node: number): number | undefined {
    const { letters } = spelling
    let nodes = [node]
    let to = spelling.to
    while (nodes.length > 0) {
      let from = to - 1
      while (from > spelling.from && ((letters[from] ?? 0) & BREAK) === 0) from -= 1
      nodes = this.#startsOf({ letters, from, to }, nodes)
      if (from === spelling.from)
        return nodes.find((start) => spelling.isOpenBefore || this.#isBoundary(start))
      nodes = nodes.flatMap((start) => this.#endsBefore(start))
      to = from
    }
    return undefined
  }

  #startsOf(word: Word, nodes: readonly number[]): number[] {
    return nodes.flatMap((end) => {
      const loose = this.#walk(word, end, false)
      if (loose.length === 0) return []
      const strict = this.#walk(word, end, true)
      return loose.filter((start) => strict.includes(start) || !this.#isPlain(word, start, end))
    })
  }

  #walk({ letters, from, to }: Word, end: number, isStrict: boolean): number[] {
    let nodes = [end]
    for (let index = to - 1; index >= from && nodes.length > 0; index -= 1)
      nodes = this.#stepBack(nodes, (letters[index] ?? 0) & ~BREAK, isStrict)
    return nodes
  }

  #stepBack(nodes: readonly number[], letter: number, isStrict: boolean): number[] {
    const { codes, spansTo } = this.#reading
    const { folds, skeletons } = this.#alphabet.letters
    const before: number[] = []
    this.#work.left -= nodes.length
    if (this.#work.left < 0) return before
    const add = (node: number, fold: number, skeleton: number) => {
      const fits = fold === letter || (!isStrict && this.#looksLike(skeleton, letter))
      if (fits && !before.includes(node)) before.push(node)
    }
    for (const at of nodes.flatMap((node) => this.#skipBack(node))) {
      const code = codes[at - 1] ?? -1
      add(at - 1, folds[code] ?? code, skeletons[code] ?? code)
      for (const { from, fold, skeleton } of spansTo.get(at) ?? []) add(from, fold, skeleton)
    }
    return before
  }

  /** Lists the node, and the nodes before it that are separated only by skippable tokens. */
  #skipBack(node: number): number[] {
    const nodes = [node]
    for (let at = node; at > 0 && this.#has(at - 1, SKIPPABLE); at -= 1) nodes.push(at - 1)
    return nodes
  }

  #looksLike(skeleton: number, letter: number): boolean {
    const { folds, skeletons, upperSkeletons } = this.#alphabet.letters
    if (skeleton === (skeletons[letter] ?? letter) || skeleton === upperSkeletons[letter]) return true
    return folds[skeleton] === letter
  }

  /** Lists the nodes at which the previous word may end. */
  #endsBefore(start: number): number[] {
    const nodes = this.#isApartAt(start) ? [start] : []
    for (let at = start; at > 0 && this.#mayBound(at - 1); at -= 1) nodes.push(at - 1)
    return nodes
  }

  #isBoundary(node: number): boolean {
    if (node === 0 || this.#isApartAt(node)) return true
    return this.#skipBack(node).some((at) => at === 0 || this.#isSeparator(at - 1))
  }

  #isSeparator(token: number): boolean {
    return this.#reading.symbols[token] === BOUNDARY || this.#has(token, SEPARATING)
  }

  #has(token: number, flag: number): boolean {
    return ((this.#reading.flags[token] ?? 0) & flag) !== 0
  }

  #mayBound(token: number): boolean {
    return this.#isSeparator(token) || this.#has(token, SKIPPABLE)
  }

  #isApartAt(node: number): boolean {
    const { symbols } = this.#reading
    return [symbols[node - 1], symbols[node]].some(
      (symbol) => symbol !== undefined && this.#alphabet.isApart(symbol),
    )
  }

  /** Returns true if a word is written in plain letters of one case, or in digits. Marks within it are ignored. */
  #isPlain({ from, to }: Word, start: number, end: number): boolean {
    const { starts, text } = this.#reading
    let written = ''
    let skipped = 0
    for (let token = start; token < end; token += 1) {
      if (this.#has(token, SKIPPABLE)) skipped += 1
      else written += text.slice(starts[token], this.#reading.endOf(token))
    }
    if (skipped > 0 && written.length !== to - from) return false
    return PLAIN.test(written) && !DISGUISED.test(written)
  }
}

interface Word {
  readonly letters: Int32Array
  readonly from: number
  readonly to: number
}
