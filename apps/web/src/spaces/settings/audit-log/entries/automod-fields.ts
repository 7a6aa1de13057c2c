import { joined } from '#src/language/formats.ts'
import { t } from '#src/language/texts.ts'
import { actionTexts, modeTexts, sourceTexts } from '#src/spaces/settings/automod/rules/rule-texts.ts'
import { formatDuration } from '#src/ui/time/duration.ts'
import type { Value } from './field-values.ts'
import type { EntryNames } from './names.ts'

/** Labels and formats of the fields of AutoMod rules and hits. */
export const automodFieldTexts = {
  mode: { label: t('Mode'), show: oneOf(modeTexts) },
  action: { label: t('What happens'), show: oneOf(actionTexts) },
  message: { label: t('Message to the author'), show: (value: unknown) => optional(value, String) },
  alert_room_id: {
    label: t('Notifies moderators in'),
    show: (id: unknown, names: EntryNames) => optional(id, (roomId) => roomIn(names, roomId)),
  },
  timeout_minutes: {
    label: t('Timeout'),
    show: (value: unknown) => optional(value, (minutes) => formatDuration(Number(minutes) * 60)),
  },
  exempt_role_ids: {
    label: t('Exempt roles'),
    show: (ids: unknown, names: EntryNames) => list(ids, (id) => names.role(id) ?? t('Deleted role')),
  },
  exempt_room_ids: {
    label: t('Exempt rooms'),
    show: (ids: unknown, names: EntryNames) => list(ids, (id) => roomIn(names, id)),
  },
  rule_name: { label: t('Rule'), show: (value: unknown) => optional(value, String) },
  source: { label: t('Found in'), show: oneOf(sourceTexts) },
}

function oneOf(texts: Readonly<Record<string, string>>): (value: unknown) => Value | null {
  return (value) => {
    const text = texts[String(value)]
    return text === undefined ? null : { text }
  }
}

function optional(value: unknown, format: (value: unknown) => string): Value {
  return { text: value === null || value === undefined ? t('Not set') : format(value) }
}

function list(values: unknown, format: (value: unknown) => string): Value | null {
  if (!Array.isArray(values)) return null
  return { text: values.length === 0 ? t('None') : joined(values.map(format)) }
}

function roomIn(names: EntryNames, id: unknown): string {
  return names.room(id) ?? names.missingRoom.alone
}
