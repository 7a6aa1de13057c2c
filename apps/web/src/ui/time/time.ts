import { lazily } from '#src/language/formats.ts'
import { locale, t } from '#src/language/texts.ts'
import { serverNow } from './server-clock.ts'

const clock = lazily(() => new Intl.DateTimeFormat(locale(), { timeStyle: 'short' }))
const shortClock = lazily(() => new Intl.DateTimeFormat(locale(), { hour: '2-digit', minute: '2-digit' }))
const day = lazily(
  () =>
    new Intl.DateTimeFormat(locale(), {
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      year: 'numeric',
    }),
)
const date = lazily(() => new Intl.DateTimeFormat(locale(), { dateStyle: 'long' }))
const month = lazily(() => new Intl.DateTimeFormat(locale(), { month: 'long', year: 'numeric' }))
const full = lazily(() => new Intl.DateTimeFormat(locale(), { dateStyle: 'full', timeStyle: 'short' }))

export function formatClock(time: string): string {
  return clock().format(new Date(time))
}

/** Short time without AM and PM, for narrow spaces where the time above already shows it. */
export function formatShortClock(time: string): string {
  const parts = shortClock().formatToParts(new Date(time))
  const digits = parts.filter(({ type }) => type !== 'dayPeriod').map(({ value }) => value)
  return digits.join('').trim()
}

export function formatDate(time: string): string {
  return date().format(new Date(time))
}

/** Formats the month and year. */
export function formatMonth(time: string): string {
  return month().format(new Date(time))
}

export function formatFull(time: string): string {
  return full().format(new Date(time))
}

/** "Today", "Yesterday" or the date. */
export function formatDay(time: string, now = new Date(serverNow())): string {
  const then = new Date(time)
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
  if (then.toDateString() === now.toDateString()) return t('Today')
  if (then.toDateString() === yesterday.toDateString()) return t('Yesterday')
  return day().format(then)
}
