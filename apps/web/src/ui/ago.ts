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
  const seconds = Math.max(0, (now - Date.parse(time)) / 1000)
  for (const [unit, length] of STEPS) {
    if (seconds >= length) return relative().format(-Math.floor(seconds / length), unit)
  }
  return t('just now')
}
