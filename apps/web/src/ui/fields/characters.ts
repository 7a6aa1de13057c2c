import { counted } from '#src/language/texts.ts'
import type { FormErrors } from './form-errors.ts'

/** Remaining characters below which a field shows the count. */
export const COUNTS_FROM = 200

/** Validates the length of a text. A long text is not cut: the user shortens it. */
export function checkCharacters(field: string, text: string, most: number): FormErrors {
  const left = charactersLeft(text, most)
  return left < 0 ? { [field]: overLimit(-left) } : {}
}

/** Returns the hint below a text, once it is long. */
export function countCharacters(text: string, most: number): string | undefined {
  const left = charactersLeft(text, most)
  if (left < 0) return overLimit(-left)
  return left < COUNTS_FROM ? counted(left, '{count} character left', '{count} characters left') : undefined
}

export function overLimit(count: number): string {
  return counted(count, '{count} character over the limit', '{count} characters over the limit')
}

/** Counts like the server: code points, without surrounding whitespace. Negative over the limit. */
function charactersLeft(text: string, most: number): number {
  return most - [...text.trim()].length
}
