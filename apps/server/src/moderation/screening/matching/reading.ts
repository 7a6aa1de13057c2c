import { type Alphabet, BOUNDARY, UNKNOWN } from './alphabet.ts'
import { Kind } from './characters.ts'
import { TABLE_SIZE } from './letters.ts'
import { Role } from './markup.ts'
import { takesVowels } from './patterns.ts'

/** Flag of a token that may be absent. */
export const SKIPPABLE = 1
/** Flag of a token that may be a boundary. */
export const SEPARATING = 2
/** Flag of a token at which a span begins. */
export const SPANNED = 4

const NONE = -1

/** Maximum run of ambiguous tokens. Longer runs are markup or punctuation instead of letters. */
const MAX_AMBIGUOUS = 16
/** Maximum ambiguous tokens and spans in a text. Each costs as much as several letters. */
const MAX_ALL_AMBIGUOUS = 600

/** A single letter that can replace several tokens: m for rn, β for the two of ß. */
export interface Span {
  readonly from: number
  readonly to: number
  readonly symbol: number
  readonly fold: number
  readonly skeleton: number
}

/**
 * A text as tokens: letters, and boundaries for everything between words. Positions between tokens are nodes: token n reaches
 * from node n to node n + 1. Flags and spans say where a text can be read in more than one way.
 */
export class Reading {
  readonly text: string
  /** Symbols of the alphabet. */
  readonly symbols: number[] = []
  /** Code point of each token, or one of several for an expansion; NONE for a boundary. */
  readonly codes: number[] = []
  /** Flags of each token for the ways to read it; 0 if there is only one. */
  readonly flags: number[] = []
  /** Positions in the text at which tokens begin. */
  readonly starts: number[] = []
  readonly spansFrom = new Map<number, Span[]>()
  readonly spansTo = new Map<number, Span[]>()
  readonly #alphabet: Alphabet
  #ambiguous = 0
  #allAmbiguous = 0
  /** Flag for vowels after the last letter; undefined if marks that spell vowels elsewhere are only decoration here. */
  #vowels: number | undefined

  /** @param roles `dropsMarks` drops Markdown marks, otherwise they separate words */
  constructor(text: string, alphabet: Alphabet, roles?: { roles: Uint8Array; dropsMarks: boolean }) {
    this.text = text
    this.#alphabet = alphabet
    for (let at = 0; at < text.length; at += 1) {
      const code = text.codePointAt(at) ?? 0
      const role = roles?.roles[at] ?? Role.shown
      if (role === Role.shown) this.#add(code, at)
      else this.#addMarkup(code, at, role === Role.mention || roles?.dropsMarks ? role : Role.shown)
      if (code > 0xffff) at += 1
    }
    this.#separate(text.length)
  }

  get size(): number {
    return this.symbols.length
  }

  /** Returns where a token ends in the text. */
  endOf(token: number): number {
    const start = this.starts[token] ?? 0
    if (this.codes[token] === NONE) return start
    return start + ((this.text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1)
  }

  #addMarkup(code: number, at: number, role: number): void {
    if (role === Role.shown) this.#add(code, at)
    else if (role === Role.mention) this.#separate(at)
    else if (role === Role.mark) this.#addAmbiguous(code, at, SKIPPABLE)
  }

  #add(code: number, at: number): void {
    const { kinds } = this.#alphabet.letters
    const kind = code < TABLE_SIZE ? (kinds[code] ?? Kind.separator) : kindBeyond(code)
    if (kind === Kind.ignored) return
    if (kind === Kind.vowel) {
      this.#addVowel(code, at)
      return
    }
    this.#vowels = code > 0x8ff && takesVowels(code) ? this.#flagOfVowels(code) : undefined
    if (kind === Kind.separator || kind === Kind.symbol) this.#addAmbiguous(code, at, SEPARATING)
    else if (code > 0x7f && this.#alphabet.letters.expansions.has(code)) this.#expand(code, at)
    else this.#addLetter(code, at)
  }

  #addVowel(code: number, at: number): void {
    if (this.#vowels === 0) this.#addLetter(code, at)
    else if (this.#vowels !== undefined) this.#addAmbiguous(code, at, this.#vowels)
  }

  /**
   * Returns the flag for vowel marks after a letter. If the letter looks like a letter of a script without such marks, it
   * may stand for that letter, and the mark is then mere decoration.
   */
  #flagOfVowels(code: number): number {
    return (this.#alphabet.letters.classes[code] ?? code) > 0x8ff ? 0 : SKIPPABLE
  }

  /** Adds a mark or sign. It counts as a letter only if a pattern has a letter that looks like it. */
  #addAmbiguous(code: number, at: number, flag: number): void {
    const isFull = this.#ambiguous >= MAX_AMBIGUOUS || this.#allAmbiguous >= MAX_ALL_AMBIGUOUS
    if (!isFull && this.#alphabet.symbolOf(code) !== UNKNOWN) {
      this.#allAmbiguous += 1
      const run = this.#ambiguous + 1
      this.#addLetter(code, at)
      this.flags[this.size - 1] = flag
      this.#ambiguous = run
    } else if (flag === SEPARATING) this.#separate(at)
  }

  #separate(at: number): void {
    if (this.symbols.at(-1) === BOUNDARY) return
    const run = this.#ambiguous
    this.#push(BOUNDARY, NONE, at)
    this.#ambiguous = run
  }

  /** Adds a letter, and a span if this letter and the one before can be read as a single letter. */
  #addLetter(code: number, at: number): void {
    this.#push(this.#alphabet.symbolOf(code), code, at)
    const seconds = this.#alphabet.pairsWith(code)
    const id = seconds?.get(this.#alphabet.letters.skeletons[this.codes[this.size - 2] ?? NONE] ?? NONE)
    if (id !== undefined) this.#addSpan({ length: 2, id, fold: NONE, skeleton: id })
  }

  /** Adds the expansion of a character, and a span for the character itself. */
  #expand(code: number, at: number): void {
    const { expansions, folds, skeletons } = this.#alphabet.letters
    const expansion = expansions.get(code) ?? []
    for (const letter of expansion) this.#addLetter(letter, at)
    const [fold = NONE, skeleton = code] = [folds[code], skeletons[code]]
    this.#addSpan({ length: expansion.length, id: code, fold, skeleton })
  }

  #push(symbol: number, code: number, start: number): void {
    this.symbols.push(symbol)
    this.codes.push(code)
    this.flags.push(0)
    this.starts.push(start)
    this.#ambiguous = 0
  }

  #addSpan({
    length,
    id,
    fold,
    skeleton,
  }: {
    length: number
    id: number
    fold: number
    skeleton: number
  }): void {
    const symbol = this.#alphabet.symbolOf(id)
    if (symbol === UNKNOWN || this.#allAmbiguous >= MAX_ALL_AMBIGUOUS) return
    this.#allAmbiguous += 1
    const span = { from: this.size - length, to: this.size, symbol, fold, skeleton }
    this.flags[span.from] = (this.flags[span.from] ?? 0) | SPANNED
    addTo(this.spansFrom, span.from, span)
    addTo(this.spansTo, span.to, span)
  }
}

function kindBeyond(code: number): number {
  if (code < 0x32400) return Kind.apart
  return code >= 0xe0000 && code < 0xe1000 ? Kind.ignored : Kind.separator
}

function addTo(spans: Map<number, Span[]>, node: number, span: Span): void {
  const known = spans.get(node)
  if (known === undefined) spans.set(node, [span])
  else known.push(span)
}
