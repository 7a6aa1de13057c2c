import { type Alphabet, BOUNDARY, UNKNOWN } from './alphabet.ts'
import type { Automaton } from './automaton.ts'
import { type Reading, SEPARATING, SKIPPABLE, SPANNED } from './reading.ts'

/** Maximum parallel readings of a text. Only texts and patterns made to be slow need more. */
const MAX_STATES = 24

export interface ScanOptions {
  readonly reading: Reading
  readonly automaton: Automaton
  readonly alphabet: Alphabet
  /** Called with a state in which words end, and the node at which they end. */
  readonly onEnd: (end: number, node: number) => void
}

/** Finds, in linear time, all nodes at which words of the automaton may end, for every way to read the text. */
export function scan(options: ScanOptions): void {
  new Scan(options).run()
}

class Scan {
  readonly #reading: Reading
  readonly #automaton: Automaton
  readonly #alphabet: Alphabet
  readonly #onEnd: ScanOptions['onEnd']
  /** By node: further states with which to continue there. */
  readonly #waiting = new Map<number, number[]>()

  constructor({ reading, automaton, alphabet, onEnd }: ScanOptions) {
    this.#reading = reading
    this.#automaton = automaton
    this.#alphabet = alphabet
    this.#onEnd = onEnd
  }

  run(): void {
    const { size, flags, symbols } = this.#reading
    let state = this.#bound(0, 0)
    for (let node = 0; node < size; node += 1) {
      const isPlain = flags[node] === 0 && this.#waiting.size === 0
      state = isPlain ? this.#read(state, symbols[node] ?? UNKNOWN, node) : this.#branch(state, node)
    }
  }

  /** Follows every way to read the token. Returns one state, and queues the others. */
  #branch(state: number, node: number): number {
    const { symbols, flags, spansFrom } = this.#reading
    const [symbol = UNKNOWN, flag = 0, waiting = []] = [symbols[node], flags[node], this.#waiting.get(node)]
    this.#waiting.delete(node)
    const spans = (flag & SPANNED) === 0 ? [] : (spansFrom.get(node) ?? [])
    const after: number[] = []
    waiting.push(state)
    for (const from of waiting) {
      addState(after, this.#read(from, symbol, node))
      if ((flag & SKIPPABLE) !== 0) addState(after, from)
      if ((flag & SEPARATING) !== 0) addState(after, this.#bound(from, node))
      for (const span of spans) this.#wait(span.to, this.#read(from, span.symbol, node, span.to))
    }
    const last = after.pop() ?? 0
    for (const other of after) this.#wait(node + 1, other)
    return last
  }

  #wait(node: number, state: number): void {
    if (state === 0) return
    const waiting = this.#waiting.get(node) ?? []
    addState(waiting, state)
    this.#waiting.set(node, waiting)
  }

  #read(state: number, symbol: number, node: number, to = node + 1): number {
    if (symbol === UNKNOWN) return 0
    if (symbol === BOUNDARY) return this.#bound(state, node)
    if (!this.#alphabet.isApart(symbol)) return this.#arrive(this.#automaton.next(state, symbol), to)
    const letter = this.#automaton.next(this.#bound(state, node), symbol)
    return this.#bound(this.#arrive(letter, to), to)
  }

  #bound(state: number, node: number): number {
    const next = this.#automaton.afterBoundary(state)
    return next === state ? state : this.#arrive(next, node)
  }

  #arrive(state: number, node: number): number {
    if (this.#automaton.isEnd(state)) this.#report(state, node)
    return state
  }

  #report(state: number, node: number): void {
    for (let end = this.#automaton.endOf(state); end !== 0; end = this.#automaton.endAfter(end))
      this.#onEnd(end, node)
  }
}

/** Adds a state to a set. The root is left out, because every state falls back to it. */
function addState(states: number[], state: number): void {
  if (states.length < MAX_STATES && !states.includes(state)) states.push(state)
}
