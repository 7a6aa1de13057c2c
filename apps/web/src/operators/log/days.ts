import { formatDay } from '#src/ui/time/time.ts'
import type { NamedEntry } from './log-entries.ts'

interface DayOfLog {
  readonly day: string
  readonly entries: readonly NamedEntry[]
}

/** Groups entries, which are newest first, by the days of the user's time zone. */
export function daysOf(items: readonly NamedEntry[]): DayOfLog[] {
  const days = new Map<string, NamedEntry[]>()
  for (const named of items) {
    const day = formatDay(named.entry.created_at)
    days.set(day, [...(days.get(day) ?? []), named])
  }
  return [...days].map(([day, entries]) => ({ day, entries }))
}
