/** Returns a time for a `datetime-local` field, on the user's clock, to the minute. */
export function toLocalField(time: string): string {
  const date = new Date(time)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`
}

/** Returns the time in a `datetime-local` field; null for an empty or incomplete one. */
export function fromLocalField(value: string): string | null {
  const date = new Date(value)
  return value === '' || Number.isNaN(date.getTime()) ? null : date.toISOString()
}
