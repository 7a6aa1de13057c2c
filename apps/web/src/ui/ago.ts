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

/** How long ago it was, in the largest unit that is full: "5 minutes ago", "yesterday"; "just now" in the first minute. */
export function formatAgo(time: string, now = serverNow()): string {
  const seconds = (now - Date.parse(time)) / 1000
  return seconds >= 60 ? inLargestUnit(-seconds) : t('just now')
}

/** When something has waited long enough, in the largest unit that is full: "in 40 seconds", "in 5 minutes", "tomorrow". */
export function formatWait(ms: number): string {
  return inLargestUnit(ms / 1000)
}

/** Cut off in the past, and in the future never too early. */
function inLargestUnit(seconds: number): string {
  const [unit, length] = STEPS.find(([, least]) => Math.abs(seconds) >= least) ?? ['second', 1]
  return relative().format(Math.ceil(seconds / length), unit)
}
