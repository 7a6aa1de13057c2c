import { MAX_REPORT_CHARACTERS } from '@foyer/protocol/limits'
import { counted, t } from '#src/language/texts.ts'
import type { FormErrors } from '#src/ui/fields/form-errors.ts'
import type { Values } from '#src/ui/fields/submit-form.tsx'

/** Characters left when the field begins to count. */
const COUNTS_FROM = 200

/** Validates a report. A text that is too long is not cut: the user shortens it. */
export function checkReport({ reason = '', text = '' }: Values): FormErrors {
  return { ...(reason === '' && { reason: t('Choose what’s wrong.') }), ...checkLength('text', text) }
}

/** Validates the length of what is written about a report or in an appeal. */
export function checkLength(field: string, text: string): FormErrors {
  const left = charactersLeft(text)
  return left < 0 ? { [field]: overLimit(-left) } : {}
}

/** Returns the hint below the text, once it is long. */
export function countText(text: string): string | undefined {
  const left = charactersLeft(text)
  if (left < 0) return overLimit(-left)
  return left < COUNTS_FROM ? counted(left, '{count} character left', '{count} characters left') : undefined
}

/** Counts like the server: code points, without surrounding whitespace. */
function charactersLeft(text: string): number {
  return MAX_REPORT_CHARACTERS - [...text.trim()].length
}

function overLimit(count: number): string {
  return counted(count, '{count} character over the limit', '{count} characters over the limit')
}
