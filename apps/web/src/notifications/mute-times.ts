import { MUTED_FOR_EVER } from '@foyer/protocol/notifications'
import { t } from '#src/language/texts.ts'
import { formatUntil } from '#src/ui/time/until.ts'

const MINUTE_MS = 60_000
/** The hour at which mutes until the morning end. */
const MORNING_HOUR = 8

interface MuteTime {
  readonly label: string
  /** @param now milliseconds since 1970 */
  until(now: number): string
}

const after = (minutes: number) => (now: number) => new Date(now + minutes * MINUTE_MS).toISOString()

/** The durations to choose from. */
export const muteTimes: readonly MuteTime[] = [
  { label: t('15 minutes'), until: after(15) },
  { label: t('1 hour'), until: after(60) },
  { label: t('8 hours'), until: after(480) },
  { label: t('Until tomorrow morning'), until: (now) => nextMorning(now).toISOString() },
  { label: t('Until I unmute it'), until: () => MUTED_FOR_EVER },
]

/** Returns the next morning. From midnight until 5:00, it is on the same day. */
function nextMorning(now: number): Date {
  const date = new Date(now)
  const days = date.getHours() < MORNING_HOUR - 3 ? 0 : 1
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days, MORNING_HOUR)
}

/** Returns a sentence with the end of a mute. */
export function mutedWords(until: string, now: number): string {
  if (until === MUTED_FOR_EVER) return t('Muted until you unmute it.')
  return t('Muted until {time}.', { time: formatUntil(until, now) })
}
