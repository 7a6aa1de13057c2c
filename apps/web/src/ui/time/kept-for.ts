import { counted, t } from '#src/language/texts.ts'

/** Formats a number of days; null means forever. */
export function keptFor(days: unknown): string {
  if (typeof days !== 'number') return t('Forever')
  if (days === 365) return t('1 year')
  return counted(days, '{count} day', '{count} days')
}
