import { BOUNDARY } from './alphabet.ts'
import { breadthFirst, type Trie } from './trie.ts'

const STEP = 256
/** Flag in a state's symbol: words end in this state. It is part of the same number, so that both are read together. */
const ENDS = 0x40000000
/**
 * Maximum entries of the table of transitions, 1 MB. It covers the states nearest the root, where almost all of a
 * text is read.
 */
const MAX_ROW_ENTRIES = 0x40000
/** Maximum children to search linearly. A larger number is first narrowed down by bisection. */
const MAX_LINEAR = 8

/**
 * Aho–Corasick automaton: reads symbols one by one, and knows which words end at each symbol. States are numbered breadth-first, so
 * that the children of a state are neighbors, and a state takes 20 bytes.
 */
export class Automaton {
  /** By state: symbol that leads to it, with the flag ENDS if words end there. */
  readonly #symbols: Int32Array
  /** By state: index of its first child. The children end where the next state's begin. */
  readonly #children: Int32Array
  readonly #failures: Int32Array
  /** By state: the state itself if words end there, otherwise its longest suffix in which words end; 0 for none. */
  readonly #ends: Int32Array
  /** By state: number of its first word, plus one; 0 for none. */
  readonly #words: Int32Array

  readonly #rows: Int32Array
  readonly #rowCount: number
  readonly #width: number

  private constructor(size: number, width: number) {
    this.#width = width
    this.#rowCount = Math.min(size, Math.max(1, Math.floor(MAX_ROW_ENTRIES / width)))
    this.#rows = new Int32Array(this.#rowCount * width)
    this.#symbols = new Int32Array(size)
    this.#children = new Int32Array(size + 1)
    this.#failures = new Int32Array(size)
    this.#ends = new Int32Array(size)
    this.#words = new Int32Array(size)
  }

  /**
   * @param wordsAt by node of the trie: number of the word that ends there, plus one
   * @param width number of symbols
   */
  static *build(trie: Trie, wordsAt: Int32Array, width: number): Generator<undefined, Automaton> {
    const automaton = new Automaton(trie.size, width)
    const order = yield* breadthFirst(trie)
    yield* automaton.#place(trie, order, wordsAt)
    yield* automaton.#connect()
    return automaton
  }

  /** Returns the state after one more symbol. */
  next(state: number, symbol: number): number {
    let from = state
    while (from >= this.#rowCount) {
      const child = this.#childOf(from, symbol)
      if (child !== 0) return child
      from = this.#failures[from] ?? 0
    }
    return this.#rows[from * this.#width + symbol] ?? 0
  }

  /** Returns the state after a boundary. Consecutive boundaries count as one. */
  afterBoundary(state: number): number {
    return this.#symbolAt(state) === BOUNDARY ? state : this.next(state, BOUNDARY)
  }

  /** Returns true if a word ends in the state or in one of its suffixes. */
  isEnd(state: number): boolean {
    return (this.#symbols[state] ?? 0) >= ENDS
  }

  /** Returns the longest suffix of the state, itself included, in which a word ends; 0 for none. */
  endOf(state: number): number {
    return this.#ends[state] ?? 0
  }

  /** Returns the next shorter suffix in which a word ends; 0 for none. */
  endAfter(end: number): number {
    return this.#ends[this.#failures[end] ?? 0] ?? 0
  }

  /** Returns the number of the first word that ends in a state. */
  wordAt(end: number): number {
    return (this.#words[end] ?? 0) - 1
  }

  #childOf(state: number, symbol: number): number {
    let low = this.#children[state] ?? 0
    let high = this.#children[state + 1] ?? 0
    while (high - low > MAX_LINEAR) {
      const middle = (low + high) >> 1
      if (this.#symbolAt(middle) > symbol) high = middle
      else low = middle
    }
    for (; low < high; low += 1) if (this.#symbolAt(low) === symbol) return low
    return 0
  }

  #symbolAt(state: number): number {
    return (this.#symbols[state] ?? 0) & ~ENDS
  }

  *#place(trie: Trie, order: Int32Array, wordsAt: Int32Array): Generator<undefined, void> {
    let children = 1
    for (let state = 0; state < order.length; state += 1) {
      const node = order[state] ?? 0
      this.#symbols[state] = trie.symbols[node] ?? 0
      this.#words[state] = wordsAt[node] ?? 0
      this.#children[state] = children
      for (let child = trie.firstChildren[node] ?? 0; child !== 0; child = trie.siblings[child] ?? 0)
        children += 1
      if (state % STEP === 0) yield
    }
    this.#children[order.length] = children
  }

  /** Fills the failure links and ends, shorter states first. */
  *#connect(): Generator<undefined, void> {
    for (let state = 0; state < this.#symbols.length; state += 1) {
      if (state < this.#rowCount) this.#fillRow(state)
      const last = this.#children[state + 1] ?? 0
      for (let child = this.#children[state] ?? 0; child < last; child += 1) this.#connectChild(state, child)
      if (state % STEP === 0) yield
    }
  }

  #connectChild(state: number, child: number): void {
    const failure = state === 0 ? 0 : this.next(this.#failures[state] ?? 0, this.#symbolAt(child))
    const end = this.#words[child] === 0 ? (this.#ends[failure] ?? 0) : child
    this.#failures[child] = failure
    this.#ends[child] = end
    if (end !== 0) this.#symbols[child] = this.#symbolAt(child) | ENDS
  }

  /**
   * Writes all transitions of a state: to its children, and for all other symbols those of its failure state, which is
   * nearer the root.
   */
  #fillRow(state: number): void {
    const [row, width] = [state * this.#width, this.#width]
    const failure = (this.#failures[state] ?? 0) * width
    if (state !== 0) this.#rows.copyWithin(row, failure, failure + width)
    const last = this.#children[state + 1] ?? 0
    for (let child = this.#children[state] ?? 0; child < last; child += 1)
      this.#rows[row + this.#symbolAt(child)] = child
  }
}
