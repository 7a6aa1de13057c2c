import { foldCharacter, Kind, kindOf, skeletonOf } from './characters.ts'

const BEYOND_ASCII = /[^\p{ASCII}]/u
const SPACES = /\s+/g

/**
 * Folds case, accents, compatibility forms, invisible characters, lookalikes from other scripts and runs of spaces,
 * so that texts that look alike are equal. ASCII letters stay distinct: l is not I.
 */
export function foldText(text: string): string {
  const folded = isAscii(text) ? text.toLowerCase() : Array.from(text, foldAny).join('')
  return folded.replaceAll(SPACES, ' ').trim()
}

/** Returns whether a text has only characters below U+0080. */
export function isAscii(text: string): boolean {
  return !BEYOND_ASCII.test(text)
}

function foldAny(character: string): string {
  if (character < '\u0080') return character.toLowerCase()
  if (kindOf(character) === Kind.ignored) return ''
  const folded = foldCharacter(character)
  return folded < '\u0080' ? folded : Array.from(skeletonOf(folded), foldCharacter).join('')
}
