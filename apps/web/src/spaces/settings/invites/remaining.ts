import { lazily } from '#src/language/formats.ts'
import { locale } from '#src/language/texts.ts'

const STEPS = [
  ['day', 24 * 3600],
  ['hour', 3600],
] as const

const relative = lazily(() => new Intl.RelativeTimeFormat(locale(), { numeric: 'always' }))

/** Formats the remaining time in its largest unit: "in 7 days", "in 3 hours", at least "in 1 minute". */
export function formatRemaining(time: string, now: number): string {
  const seconds = (Date.parse(time) - now) / 1000
  for (const [unit, length] of STEPS) {
    if (seconds >= length) return relative().format(Math.round(seconds / length), unit)
  }
  return relative().format(Math.max(1, Math.round(seconds / 60)), 'minute')
}
