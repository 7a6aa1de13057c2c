import { lazily } from '#src/language/formats.ts'
import { locale } from '#src/language/texts.ts'

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const
const STEP = 1024

const whole = lazily(() => new Intl.NumberFormat(locale(), { maximumFractionDigits: 0 }))
const tenths = lazily(() => new Intl.NumberFormat(locale(), { maximumFractionDigits: 1 }))

/** A size for people: "812 B", "1.5 MB", "200 MB". A unit is 1024 of the one before, as in the limits of the server. */
export function formatSize(bytes: number): string {
  const steps = Math.floor(Math.log(Math.max(1, bytes)) / Math.log(STEP))
  // What would round to 1024 of a unit is one of the next.
  const rounded = Math.round(bytes / STEP ** steps) === STEP ? steps + 1 : steps
  const power = Math.min(UNITS.length - 1, rounded)
  const amount = bytes / STEP ** power
  const numbers = amount < 10 && power > 0 ? tenths() : whole()
  return `${numbers.format(amount)} ${UNITS[power]}`
}
