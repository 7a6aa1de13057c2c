import { t } from '#src/language/texts.ts'
import type { FieldChange } from '#src/spaces/settings/audit-log/entries/field-values.ts'
import { formatFull } from '#src/ui/time/time.ts'

type Fields = Readonly<Record<string, unknown>>

const labels = {
  text: t('Text'),
  kind: t('Kind'),
  starts_at: t('Starts'),
  ends_at: t('Ends'),
} as const
type Name = keyof typeof labels
const names: readonly Name[] = ['text', 'kind', 'starts_at', 'ends_at']

/** Returns the changed fields of an announcement, in words. */
export function announcementChanges(before: Fields, after: Fields): FieldChange[] {
  return names
    .filter((name) => before[name] !== after[name])
    .map((name) => ({ label: labels[name], before: wordsFor(before, name), after: wordsFor(after, name) }))
}

function wordsFor(fields: Fields, name: Name): FieldChange['before'] {
  const value = fields[name]
  if (typeof value !== 'string') return null
  if (name === 'kind') return { text: value === 'warning' ? t('Warning') : t('Information') }
  return { text: name === 'text' ? value : formatFull(value) }
}
