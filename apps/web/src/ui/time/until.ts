import { locale } from '#src/language/texts.ts'

/** Formats an end time: the clock time and, unless it is today, the date. */
export function formatUntil(until: string, now: number): string {
  const end = new Date(until)
  const isToday = end.toDateString() === new Date(now).toDateString()
  const style = isToday
    ? ({ timeStyle: 'short' } as const)
    : ({ dateStyle: 'medium', timeStyle: 'short' } as const)
  return new Intl.DateTimeFormat(locale(), style).format(end)
}
