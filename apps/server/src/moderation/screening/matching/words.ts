import { Alphabet } from './alphabet.ts'
import { Automaton } from './automaton.ts'
import { loadLetters } from './letters.ts'
import { findMarkup, hasMarks } from './markup.ts'
import { Numbers } from './numbers.ts'
import { type Pattern, parsePattern } from './patterns.ts'
import { Reading } from './reading.ts'
import { scan } from './scan.ts'
import { runInSlices } from './slices.ts'
import { Trie } from './trie.ts'
import { BREAK, Verification, type Work } from './verification.ts'

/** Words of one rule. */
export interface WordList {
  readonly words: readonly string[]
  readonly allowed: readonly string[]
}

/** Caught part of a text. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface Caught {
  /** Index of the list. */
  readonly list: number
  readonly span: Span
  /** The searched, composed text. */
  readonly text: string
}

/**
 * Maximum letter comparisons for one text. 4,000 characters of near misses need 600. A text that needs more was made
 * to be slow: every list with words catches it, so that its unchecked part hides nothing.
 */
const MAX_WORK = 5_000

const IS_OPEN_BEFORE = 1
const IS_ALLOWED = 2
/** Matches jamo (Korean letters) that form one syllable. */
const JAMO = /[\u1100-\u1112][\u1161-\u1175]/

interface Tables {
  readonly alphabet: Alphabet
  readonly automaton: Automaton
  /** By word: index of its first letter in `letters`. One more entry marks the end. */
  readonly offsets: Int32Array
  readonly letters: Int32Array
  readonly flags: Int32Array
  readonly lists: Int32Array
  /** By word: the next word that ends in the same state, plus one; 0 for none. */
  readonly nextWords: Int32Array
}

/** Finds the words of many lists in a text. */
export class WordMatcher {
  readonly #tables: Tables
  /** By index of the list. */
  readonly #hasAllowed: readonly boolean[]
  readonly #hasWords: readonly boolean[]

  constructor(tables: Tables, lists: readonly WordList[]) {
    this.#tables = tables
    this.#hasAllowed = lists.map(({ allowed }) => allowed.length > 0)
    this.#hasWords = lists.map(({ words }) => words.length > 0)
  }

  /** Returns the first caught part for each list that catches any. */
  find(original: string): readonly Caught[] {
    const text = JAMO.test(original) ? original.normalize('NFC') : original
    const search = new Search(this.#tables, { hasAllowed: this.#hasAllowed, hasWords: this.#hasWords })
    const roles = findMarkup(text)
    search.read(new Reading(text, this.#tables.alphabet, roles && { roles, dropsMarks: false }))
    if (roles !== undefined && hasMarks(roles))
      search.read(new Reading(text, this.#tables.alphabet, { roles, dropsMarks: true }))
    return search.caught(text)
  }
}

/** Builds a matcher in slices. */
export async function compileWords(lists: readonly WordList[]): Promise<WordMatcher> {
  const alphabet = new Alphabet(await loadLetters())
  return new WordMatcher(await runInSlices(buildTables(lists, alphabet)), lists)
}

/** Properties of each list. */
interface Lists {
  readonly hasAllowed: readonly boolean[]
  readonly hasWords: readonly boolean[]
}

class Search {
  readonly #tables: Tables
  readonly #hasAllowed: readonly boolean[]
  readonly #hasWords: readonly boolean[]
  readonly #found = new Map<number, Span[]>()
  readonly #allowed = new Map<number, Span[]>()
  readonly #work: Work = { left: MAX_WORK }

  constructor(tables: Tables, { hasAllowed, hasWords }: Lists) {
    this.#tables = tables
    this.#hasAllowed = hasAllowed
    this.#hasWords = hasWords
  }

  read(reading: Reading): void {
    const { automaton, alphabet, nextWords } = this.#tables
    const verification = new Verification(reading, alphabet, this.#work)
    const onEnd = (end: number, node: number) => {
      for (
        let word = automaton.wordAt(end);
        word >= 0 && this.#work.left >= 0;
        word = (nextWords[word] ?? 0) - 1
      )
        this.#check(word, node, { reading, verification })
    }
    scan({ reading, automaton, alphabet, onEnd })
  }

  caught(text: string): readonly Caught[] {
    if (this.#work.left < 0) return this.#everyList(text)
    const caught: Caught[] = []
    for (const [list, spans] of this.#found) {
      const span = firstOutside(spans, this.#allowed.get(list) ?? [])
      if (span !== undefined) caught.push({ list, span, text })
    }
    return caught
  }

  #everyList(text: string): readonly Caught[] {
    const span = { start: 0, end: text.length }
    return this.#hasWords.flatMap((hasWords, list) => (hasWords ? { list, span, text } : []))
  }

  #check(word: number, node: number, at: { reading: Reading; verification: Verification }): void {
    const { lists, flags } = this.#tables
    const [list = 0, flag = 0] = [lists[word], flags[word]]
    this.#work.left -= 1
    if (this.#hasAllowed[list] === false && this.#found.has(list)) return
    const start = at.verification.startOf(this.#spellingOf(word), node)
    if (start === undefined) return
    const found = (flag & IS_ALLOWED) === 0 ? this.#found : this.#allowed
    const spans = found.get(list) ?? []
    spans.push({ start: at.reading.starts[start] ?? 0, end: at.reading.endOf(node - 1) })
    found.set(list, spans)
  }

  #spellingOf(word: number) {
    const { letters, offsets, flags } = this.#tables
    const isOpenBefore = ((flags[word] ?? 0) & IS_OPEN_BEFORE) !== 0
    return { letters, from: offsets[word] ?? 0, to: offsets[word + 1] ?? 0, isOpenBefore }
  }
}

/** Returns the first span that does not lie within an allowed one. */
function firstOutside(spans: readonly Span[], allowed: readonly Span[]): Span | undefined {
  const inOrder = allowed.toSorted((a, b) => a.start - b.start)
  let [reached, next] = [-1, 0]
  return spans
    .toSorted((a, b) => a.start - b.start)
    .find(({ start, end }) => {
      for (let span = inOrder[next]; span !== undefined && span.start <= start; span = inOrder[next]) {
        reached = Math.max(reached, span.end)
        next += 1
      }
      return reached < end
    })
}

function* buildTables(lists: readonly WordList[], alphabet: Alphabet): Generator<undefined, Tables> {
  const { words, characters } = yield* sizeOf(lists)
  const trie = new Trie(characters + 2 * words)
  const letters = new Numbers(characters)
  const offsets = new Numbers(words + 1)
  const nodes = new Numbers(words)
  const flags = new Numbers(words)
  const listNumbers = new Numbers(words)
  offsets.push(0)
  for (const { word, list, isAllowed } of wordsIn(lists)) {
    const pattern = parsePattern(word)
    if (pattern.letters.length === 0) continue
    for (const [index, letter] of pattern.letters.entries()) letters.push(markBreak(pattern, index, letter))
    offsets.push(letters.size)
    nodes.push(trie.insert(alphabet.spell(pattern)))
    flags.push((pattern.isOpenBefore ? IS_OPEN_BEFORE : 0) | (isAllowed ? IS_ALLOWED : 0))
    listNumbers.push(list)
    yield
  }
  alphabet.close()
  const { wordsAt, nextWords } = yield* chainWords(nodes.toArray(), trie.size)
  return {
    alphabet,
    automaton: yield* Automaton.build(trie, wordsAt, alphabet.size),
    offsets: offsets.toArray(),
    letters: letters.toArray(),
    flags: flags.toArray(),
    lists: listNumbers.toArray(),
    nextWords,
  }
}

/** Links the words that end at the same node. */
function* chainWords(
  nodes: Int32Array,
  size: number,
): Generator<undefined, { wordsAt: Int32Array; nextWords: Int32Array }> {
  const wordsAt = new Int32Array(size)
  const nextWords = new Int32Array(nodes.length)
  for (let word = 0; word < nodes.length; word += 1) {
    const node = nodes[word] ?? 0
    nextWords[word] = wordsAt[node] ?? 0
    wordsAt[node] = word + 1
    if (word % 256 === 0) yield
  }
  return { wordsAt, nextWords }
}

function* sizeOf(lists: readonly WordList[]): Generator<undefined, { words: number; characters: number }> {
  let [words, characters] = [0, 0]
  for (const list of lists) {
    const all = [...list.words, ...list.allowed]
    words += all.length
    characters += all.reduce((sum, word) => sum + word.length, 0)
    yield
  }
  return { words, characters }
}

function* wordsIn(lists: readonly WordList[]): Generator<{ word: string; list: number; isAllowed: boolean }> {
  for (const [list, { words, allowed }] of lists.entries()) {
    for (const word of words) yield { word, list, isAllowed: false }
    for (const word of allowed) yield { word, list, isAllowed: true }
  }
}

function markBreak(pattern: Pattern, index: number, letter: number): number {
  return pattern.breaks.has(index) ? letter | BREAK : letter
}
