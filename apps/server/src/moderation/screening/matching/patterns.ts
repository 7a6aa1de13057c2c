import { foldCharacter, Kind, kindOf } from './characters.ts'

/** A word or phrase of a rule, folded. */
export interface Pattern {
  /** Code points of its letters. */
  readonly letters: readonly number[]
  /** Indexes of letters at which a new word of the phrase begins. */
  readonly breaks: ReadonlySet<number>
  /** Further letters may precede the word (`isOpenBefore`) or follow it (`isOpenAfter`). */
  readonly isOpenBefore: boolean
  readonly isOpenAfter: boolean
}

interface Draft {
  letters: number[]
  breaks: Set<number>
  isBroken: boolean
  hasVowels: boolean
}

/** Characters of Markdown, which separate words of a pattern. */
const MARKUP = '*_~`|\\[]'

/** Folds a word or phrase of a rule. If nothing is left, the result has no letters. */
export function parsePattern(word: string): Pattern {
  const trimmed = word.trim()
  const isOpenBefore = trimmed.startsWith('*')
  const isOpenAfter = trimmed.length > 1 && trimmed.endsWith('*')
  const draft: Draft = { letters: [], breaks: new Set(), isBroken: false, hasVowels: false }
  for (const character of trimmed.normalize('NFC')) addCharacter(draft, character)
  return { letters: draft.letters, breaks: draft.breaks, isOpenBefore, isOpenAfter }
}

function addCharacter(draft: Draft, character: string): void {
  const kind = MARKUP.includes(character) ? Kind.separator : kindOf(character)
  if (kind === Kind.ignored || (kind === Kind.vowel && !draft.hasVowels)) return
  if (kind === Kind.separator) {
    draft.isBroken = draft.letters.length > 0
    draft.hasVowels = false
    return
  }
  if (draft.isBroken) draft.breaks.add(draft.letters.length)
  draft.isBroken = false
  draft.hasVowels = kind === Kind.vowel || takesVowels(character.codePointAt(0) ?? 0)
  const folded = kind === Kind.vowel ? character : foldCharacter(character)
  for (const letter of folded) draft.letters.push(letter.codePointAt(0) ?? 0)
}

/** Returns whether marks after this letter may spell vowels: true for the blocks from Devanagari to Myanmar, and Khmer. */
export function takesVowels(code: number): boolean {
  return (
    (code >= 0x900 && code < 0x10a0) || (code >= 0x1780 && code < 0x1800) || (code >= 0xa9e0 && code < 0xaa80)
  )
}
