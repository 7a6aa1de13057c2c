import { lazily } from '#src/language/formats.ts'
import { locale, t } from '#src/language/texts.ts'
import { serverNow } from './server-clock.ts'

const STEPS = [
  ['year', 365 * 24 * 3600],
  ['month', 30 * 24 * 3600],
  ['week', 7 * 24 * 3600],
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
] as const

const relative = lazily(() => new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' }))

/** Formats a past time in its largest full unit: "5 minutes ago", "yesterday". The first minute is "just now". */
export function formatAgo(time: string, now = serverNow()): string {
  const seconds = (now - Date.parse(time)) / 1000
  return seconds >= 60 ? inLargestUnit(-seconds) : t('just now')
}

/** Formats a waiting time in its largest full unit: "in 40 seconds", "in 5 minutes", "tomorrow". */
export function formatWait(ms: number): string {
  return inLargestUnit(ms / 1000)
}

/** Rounds toward zero in the past and up in the future, so that a waiting time is never too short. */
function inLargestUnit(seconds: number): string {
  const [unit, length] = STEPS.find(([, least]) => Math.abs(seconds) >= least) ?? ['second', 1]
  return relative().format(Math.ceil(seconds / length), unit)
}
