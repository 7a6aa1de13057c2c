/**
 * A word is a run of letters and digits. Two words are equal if they differ only in case, accents and forms of the same
 * letter. The server indexes messages by these words, and clients highlight matches by them.
 */

/** Maximum length of an indexed word in UTF-16 code units, because the index limits it. No language has longer words. */
export const MAX_WORD_LENGTH = 500

/** A word of a query. It matches words that begin with it. */
export interface QueryWord {
  readonly text: string
  /** True for a single letter, which must be the whole word. */
  readonly isWhole: boolean
}

/** Position of a word in a text, in UTF-16 code units. */
export interface LocatedWord {
  readonly word: string
  readonly start: number
  readonly end: number
}

/** Returns the different words of a text, in order of appearance. */
export function wordsOf(text: string): string[] {
  return [...new Set((fold(text).match(RUN) ?? []).map(cut))]
}

/** Returns the words of a search, each once. */
export function queryWordsOf(query: string): QueryWord[] {
  return wordsOf(query).map((text) => ({ text, isWhole: countLetters(text) === 1 }))
}

/** Returns whether a word of a text, from `wordsOf` or `locateWords`, matches a word of a query. */
export function matchesWord(asked: QueryWord, word: string): boolean {
  return asked.isWhole ? word === asked.text : word.startsWith(asked.text)
}

/** Returns every word of a text with its position, for highlighting matches. */
export function locateWords(text: string): LocatedWord[] {
  const { folded, places } = foldWithPlaces(text)
  return Array.from(folded.matchAll(RUN), (match) => {
    const [start, last] = [places[match.index], places[match.index + match[0].length - 1]]
    return { word: cut(match[0].normalize('NFKD')), start: start?.start ?? 0, end: last?.end ?? text.length }
  })
}

/** Normalizes a name for comparison. */
export function foldName(name: string): string {
  return fold(name.trim())
}

const RUN = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu
const LETTER = /[\p{L}\p{N}]/gu
const ASCII = /^[\0-\x7f]*$/

/**
 * Characters that a comparison ignores. These are accents, the vowel points of Arabic, Hebrew and Syriac, which writers
 * usually omit, and characters that only join letters: tatweel, soft hyphen, zero-width joiner, word joiner. Vowel signs
 * of other scripts, such as Devanagari and Thai, count, and so do the two Japanese voicing marks.
 */
const DROPPED =
  /[[\p{M}--[[\p{M}&&\p{Alphabetic}]--[\p{sc=Zinh}\p{sc=Arab}\p{sc=Hebr}\p{sc=Syrc}]]--[\u3099\u309a]]\u0640\u00ad\u200d\u2060]/gv

function fold(text: string): string {
  // A shortcut for ASCII, which is most text: it takes a tenth of the time.
  if (ASCII.test(text)) return text.toLowerCase()
  return decompose(foldCase(decompose(text)))
}

function decompose(text: string): string {
  return text.normalize('NFKD').replace(DROPPED, '')
}

/** Converts to upper case and back, which unifies `ß`, `ẞ` and `SS`, and `ı` and `I`. A final sigma equals any other. */
function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ')
}

/** Works like `fold`, but maps each code unit of the result to its source position. */
function foldWithPlaces(text: string): { folded: string; places: { start: number; end: number }[] } {
  const places: { start: number; end: number }[] = []
  let [folded, start] = ['', 0]
  for (const letter of text) {
    const piece = fold(letter)
    const place = { start, end: start + letter.length }
    for (let unit = 0; unit < piece.length; unit += 1) places.push(place)
    folded += piece
    start = place.end
  }
  return { folded, places }
}

/** Counts composed characters: a syllable of Hangul, or kana with its mark, is one letter. */
function countLetters(word: string): number {
  return word.normalize('NFC').match(LETTER)?.length ?? 0
}

/** Cuts a word without splitting a letter. */
function cut(word: string): string {
  return word.length <= MAX_WORD_LENGTH
    ? word
    : word.slice(0, MAX_WORD_LENGTH).replace(/[\ud800-\udbff]$/, '')
}
