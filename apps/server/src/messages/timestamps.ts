/**
 * Returns the time of an embed in UTC, in four digits of year; undefined for a day or a second that does not exist. Leap
 * seconds are refused: neither a date of ours nor every client knows them.
 * @param text as `CreateEmbed` takes it; without a zone it is UTC
 */
export function isoOf(text: string): string | undefined {
  const [day = '', time = ''] = text.split(/[Tt ]/)
  const isZoned = /(?:[Zz]|[+-]\d{2}:\d{2})$/.test(time)
  const midnight = new Date(`${day}T00:00:00Z`)
  // JavaScript reads February 30 as March 1.
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return undefined
  const date = time === '' ? midnight : new Date(`${day}T${time}${isZoned ? '' : 'Z'}`)
  const iso = Number.isNaN(date.getTime()) ? '' : date.toISOString()
  return /^\d{4}-/.test(iso) ? iso : undefined
}
