/**
 * Converts an embed's time to UTC with a four-digit year; undefined for a day or second that does not exist. Leap
 * seconds are refused: JavaScript dates and many clients do not know them.
 * @param text time in the format of `CreateEmbed`, in UTC unless it names a time zone
 */
export function isoOf(text: string): string | undefined {
  const [day = '', time = ''] = text.split(/[Tt ]/)
  const isZoned = /(?:[Zz]|[+-]\d{2}:\d{2})$/.test(time)
  const midnight = new Date(`${day}T00:00:00Z`)
  // JavaScript parses February 30 as a day in March.
  if (Number.isNaN(midnight.getTime()) || !midnight.toISOString().startsWith(day)) return undefined
  const date = time === '' ? midnight : new Date(`${day}T${time}${isZoned ? '' : 'Z'}`)
  const iso = Number.isNaN(date.getTime()) ? '' : date.toISOString()
  return /^\d{4}-/.test(iso) ? iso : undefined
}
