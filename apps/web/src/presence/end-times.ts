import { t } from '#src/language/texts.ts'

/** A time to choose as the end of a status. */
export interface EndTime {
  readonly label: string
  /** @param now milliseconds since 1970 */
  until(now: number): string
}

const MINUTE_MS = 60_000
const after = (minutes: number) => (now: number) => new Date(now + minutes * MINUTE_MS).toISOString()

/** Ends of “Do not disturb” and “Invisible”. */
export const statusEnds: readonly EndTime[] = [
  { label: t('For 1 hour'), until: after(60) },
  { label: t('For 8 hours'), until: after(480) },
]

/** Ends of a status text. */
export const textEnds: readonly EndTime[] = [
  { label: t('30 minutes'), until: after(30) },
  { label: t('1 hour'), until: after(60) },
  { label: t('4 hours'), until: after(240) },
  { label: t('Today'), until: endOfDay },
]

function endOfDay(now: number): string {
  const date = new Date(now)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + 1).toISOString()
}
