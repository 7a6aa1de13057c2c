import type { CallRecord } from '@foyer/protocol/voice'
import { lazily } from '#src/language/formats.ts'
import { namesAndOthers } from '#src/language/names-and-others.ts'
import { locale, t } from '#src/language/texts.ts'

const MINUTE_MS = 60_000

const hoursText = lazily(
  () => new Intl.NumberFormat(locale(), { style: 'unit', unit: 'hour', unitDisplay: 'long' }),
)
const minutesText = lazily(
  () => new Intl.NumberFormat(locale(), { style: 'unit', unit: 'minute', unitDisplay: 'long' }),
)
const together = lazily(() => new Intl.ListFormat(locale(), { type: 'unit', style: 'narrow' }))

/** Text of a call's message after the caller's name. The outcome decides whether to offer calling back. */
export interface CallSummary {
  readonly text: string
  readonly outcome: 'taken' | 'missed' | 'unanswered'
}

/** Summarizes a call for the given user. */
export function callSummary(
  { started_at, ended_at, participant_ids }: CallRecord,
  myId: string,
): CallSummary {
  const lasted = durationWords(Date.parse(ended_at) - Date.parse(started_at))
  const wasPart = participant_ids.includes(myId)
  if (participant_ids.length === 1) {
    return wasPart
      ? { text: t('called. No answer.'), outcome: 'unanswered' }
      : { text: t('called you, but you missed it.'), outcome: 'missed' }
  }
  if (!wasPart)
    return {
      text: t('started a call you missed. It lasted {duration}.', { duration: lasted }),
      outcome: 'missed',
    }
  return { text: t('started a call that lasted {duration}.', { duration: lasted }), outcome: 'taken' }
}

/** Lists the participants besides the caller. Unknown users are only counted. */
export function participantsText(names: readonly string[], count: number): string {
  return count === 0 ? '' : t('Also in the call: {names}.', { names: namesAndOthers(names, count) })
}

/** Returns a rounded duration, such as `5 minutes`. */
export function durationWords(ms: number): string {
  const minutes = Math.round(ms / MINUTE_MS)
  if (minutes === 0) return t('a moment')
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  const parts = [hours === 0 ? '' : hoursText().format(hours), rest === 0 ? '' : minutesText().format(rest)]
  return together().format(parts.filter((part) => part !== ''))
}
