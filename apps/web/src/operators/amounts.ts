import type { ServerCount } from '@foyer/protocol/server-health'
import { lazily } from '#src/language/formats.ts'
import { locale, t } from '#src/language/texts.ts'

const tenths = lazily(() => new Intl.NumberFormat(locale(), { maximumFractionDigits: 1 }))
const hundredths = lazily(() => new Intl.NumberFormat(locale(), { maximumFractionDigits: 2 }))

/** Formats an amount with one decimal: "1,234", "12.5". Amounts below 1 have two: "0.04". */
export function formatAmount(amount: number): string {
  return (Math.abs(amount) < 1 ? hundredths() : tenths()).format(amount)
}

/** Formats a count, with "about" or "more than" if it is not exact. */
export function formatCount({ count, precision }: ServerCount, format = formatAmount): string {
  if (precision === 'about') return t('about {amount}', { amount: format(count) })
  if (precision === 'at_least') return t('more than {amount}', { amount: format(count) })
  return format(count)
}
