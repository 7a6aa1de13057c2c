import { createRequire } from 'node:module'

const load = createRequire(import.meta.url)
/** The full table of UTS #39, Unicode 13.0, MIT-licensed copy of Unicode's confusables.txt: character → prototype. */
const prototypes: Readonly<Record<string, string>> = load('unhomoglyph/data.json')

/** Every character that looks like another one, in the table of UTS #39. */
export const confusables: readonly string[] = Object.keys(prototypes)

/**
 * Kinds of characters. separator: ends a word. apart: a letter of a script without spaces. symbol: separates, unless
 * a pattern contains it.
 */
export const Kind = { separator: 0, letter: 1, apart: 2, symbol: 3, vowel: 4, ignored: 5 } as const

const IGNORED = /^[\p{M}\p{DI}\p{Cf}]$/u
const ALL_IGNORED = /[\p{M}\p{DI}\p{Cf}]+/gu
const LETTER = /^[\p{L}\p{N}]$/u
const ANY_LETTER = /[\p{L}\p{N}]/u
const NO_LETTERS = /[^\p{L}\p{N}\p{M}]+/gu
const UNUSED = /^[\p{Cn}\p{Co}\p{Cs}]$/u
const SYMBOL = /^\p{S}$/u
/** Signs that stand alone after a word, although they decompose to letters. */
const SIGNS = /^[™℠℡℻]$/u
/** Marks that spell a vowel. Without them, most words of these scripts would equal others. */
const VOWEL =
  /^[\p{M}&&[\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Thai}\p{Script=Lao}\p{Script=Tibetan}\p{Script=Myanmar}\p{Script=Khmer}]]$/v
const APART =
  /^[ー\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Myanmar}\p{Script=Khmer}]$/u
const LATIN = /^[a-zA-Z0-9]$/

/** Returns one of `Kind`. A `vowel` only has an effect after a letter of a script with such vowels. */
export function kindOf(character: string): number {
  if (LATIN.test(character)) return Kind.letter
  if (IGNORED.test(character)) return VOWEL.test(character) ? Kind.vowel : Kind.ignored
  if (LETTER.test(character)) return isApart(character) ? Kind.apart : Kind.letter
  if (isPlain(character)) return SYMBOL.test(character) ? Kind.symbol : Kind.separator
  if (!SYMBOL.test(character)) return ANY_LETTER.test(foldCharacter(character)) ? Kind.letter : Kind.separator
  return isSign(character) ? Kind.symbol : Kind.letter
}

/** Returns whether a character has no other form and no lookalike, like most characters. */
export function isPlain(character: string): boolean {
  if (prototypes[character] !== undefined || character !== character.normalize('NFKD')) return false
  return character === character.toUpperCase() && character === character.toLowerCase()
}

/** Returns whether a letter or vowel is from a script that writes no spaces between words. */
export function isApart(character: string): boolean {
  return APART.test(character)
}

/** Returns whether a character is unassigned, for private use, or a lone surrogate. */
export function isUnused(character: string): boolean {
  return UNUSED.test(character)
}

/** Folds case, accents and compatibility forms of one character: Ⓕ → f, é → e, ß → ss. */
export function foldCharacter(character: string): string {
  if (character < '\u0080') return character.toLowerCase()
  if (SIGNS.test(character)) return character
  const bare = withoutMarks(character.normalize('NFKD'))
  const folded = withoutMarks(Array.from(bare, foldCase).join('').normalize('NFKD')).normalize('NFKC')
  if (ANY_LETTER.test(folded)) return folded.replaceAll(NO_LETTERS, '')
  return LETTER.test(character) ? character : folded
}

/** Returns the skeleton (UTS #39) without its marks: ø → o. A letter without a lookalike is its own skeleton. */
export function skeletonOf(text: string): string {
  const looks = Array.from(text.normalize('NFD'), (character) => prototypes[character] ?? character)
  const skeleton = withoutMarks(looks.join('').normalize('NFD'))
  return skeleton.trim() === '' ? text : skeleton
}

function isSign(character: string): boolean {
  return SIGNS.test(character) || !ANY_LETTER.test(foldCharacter(character))
}

function withoutMarks(text: string): string {
  return text.replaceAll(ALL_IGNORED, (run) =>
    Array.from(run, (mark) => (VOWEL.test(mark) ? mark : '')).join(''),
  )
}

/** Applies full case folding: the upper case of the lower case unites ß, ẞ and ss, ſ and s, ς and σ. */
function foldCase(character: string): string {
  const upper = character.toLowerCase().toUpperCase()
  return Array.from(upper, (letter) => letter.toLowerCase()).join('')
}
