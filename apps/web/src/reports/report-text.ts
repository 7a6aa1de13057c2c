import { MAX_REPORT_CHARACTERS } from '@foyer/protocol/limits'
import { t } from '#src/language/texts.ts'
import { checkCharacters, countCharacters } from '#src/ui/fields/characters.ts'
import type { FormErrors } from '#src/ui/fields/form-errors.ts'
import type { Values } from '#src/ui/fields/submit-form.tsx'

/** Validates a report. */
export function checkReport({ reason = '', text = '' }: Values): FormErrors {
  return { ...(reason === '' && { reason: t('Choose what’s wrong.') }), ...checkLength('text', text) }
}

/** Validates the length of a text about a report or in an appeal. */
export function checkLength(field: string, text: string): FormErrors {
  return checkCharacters(field, text, MAX_REPORT_CHARACTERS)
}

/** Returns the hint below a text about a report or in an appeal, once it is long. */
export function countText(text: string): string | undefined {
  return countCharacters(text, MAX_REPORT_CHARACTERS)
}
