import { lazily } from '#src/language/formats.ts'
import { locale } from '#src/language/texts.ts'

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const
const STEP = 1024

const whole = lazily(() => new Intl.NumberFormat(locale(), { maximumFractionDigits: 0 }))
const tenths = lazily(() => new Intl.NumberFormat(locale(), { maximumFractionDigits: 1 }))

/** Formats a size, like "812 B", "1.5 MB" or "200 MB". Units are powers of 1024, as in the server's limits. */
export function formatSize(bytes: number): string {
  const steps = Math.floor(Math.log(Math.max(1, bytes)) / Math.log(STEP))
  // An amount that rounds to 1024 is 1 of the next unit.
  const rounded = Math.round(bytes / STEP ** steps) === STEP ? steps + 1 : steps
  const power = Math.min(UNITS.length - 1, rounded)
  const amount = bytes / STEP ** power
  const numbers = amount < 10 && power > 0 ? tenths() : whole()
  return `${numbers.format(amount)} ${UNITS[power]}`
}
