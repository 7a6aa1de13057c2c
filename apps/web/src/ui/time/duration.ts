import { lazily } from '#src/language/formats.ts'
import { locale } from '#src/language/texts.ts'

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

const formats = lazily(
  () =>
    new Map(
      UNITS.map(([unit]) => [
        unit,
        new Intl.NumberFormat(locale(), { style: 'unit', unit, unitDisplay: 'long' }),
      ]),
    ),
)

/** Formats a duration in the largest unit that divides it: "30 seconds", "5 minutes", "6 hours", "2 days". */
export function formatDuration(seconds: number): string {
  const [unit, length] = UNITS.find(([, size]) => seconds >= size && seconds % size === 0) ?? ['second', 1]
  return (
    formats()
      .get(unit)
      ?.format(seconds / length) ?? ''
  )
}
