import { namesAndOthers } from '#src/language/names-and-others.ts'
import { counted, t } from '#src/language/texts.ts'
import { formatDuration } from '#src/ui/time/duration.ts'
import type { Value } from './field-values.ts'
import type { EntryNames } from './names.ts'

/** Maximum newcomers named in the details of a decision. Any others are only counted. */
export const MAX_NAMED_NEWCOMERS = 20

const causes: Readonly<Record<string, string>> = {
  joins: t('Many people joined at once'),
  messages: t('New members wrote many messages at once'),
  moderator: t('A moderator closed it'),
}

/** Labels and formats of the fields of a space's door, and of decisions on newcomers. */
export const doorFieldTexts = {
  closed: { label: t('Door'), show: either(t('Closed'), t('Open')) },
  cause: { label: t('Reason for closing'), show: cause },
  joined_minutes: { label: t('Also kept waiting'), show: keptWaiting },
  sensor: { label: t('Closes by itself in a raid'), show: either(t('Yes'), t('No')) },
  sensor_joins: { label: t('Joins within a minute'), show: joins },
  user_ids: { label: t('People'), show: people },
  banned: { label: t('Banned'), show: either(t('Yes'), t('No')) },
}

function either(yes: string, no: string): (value: unknown) => Value | null {
  return (value) => (typeof value === 'boolean' ? { text: value ? yes : no } : null)
}

function cause(value: unknown): Value {
  return { text: causes[String(value)] ?? t('Not set') }
}

function keptWaiting(minutes: unknown): Value | null {
  if (typeof minutes !== 'number') return null
  if (minutes === 0) return { text: t('No one') }
  return { text: t('Members who joined in the last {time}', { time: formatDuration(minutes * 60) }) }
}

function joins(value: unknown): Value | null {
  return typeof value === 'number' ? { text: counted(value, '{count} person', '{count} people') } : null
}

function people(ids: unknown, names: EntryNames): Value | null {
  if (!Array.isArray(ids)) return null
  const known = ids.slice(0, MAX_NAMED_NEWCOMERS).flatMap((id) => names.knownUser(id) ?? [])
  if (known.length > 0) return { text: namesAndOthers(known, ids.length) }
  return { text: counted(ids.length, '{count} person', '{count} people') }
}
