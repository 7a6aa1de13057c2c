import type { OperatorLogEntry } from '@foyer/protocol/operators'
import { joined } from '#src/language/formats.ts'
import { t } from '#src/language/texts.ts'
import type { FieldChange, Value } from '#src/spaces/settings/audit-log/entries/field-values.ts'
import { formatDuration } from '#src/ui/time/duration.ts'
import { modeLabels, puzzleLabels } from '../registration/modes.ts'
import { announcementChanges } from './announcement-changes.ts'

type Rules = Readonly<Record<string, unknown>>

const ruleNames = ['mode', 'question', 'domains', 'puzzle'] as const
type RuleName = (typeof ruleNames)[number]

const ruleLabels: Record<RuleName, string> = {
  mode: t('Who can create an account'),
  question: t('Question for applicants'),
  domains: t('Email domains'),
  puzzle: t('Check for bots'),
}

/** Returns the names of the rules for sign-ups that an entry changed. */
export function changedFields({ details }: Pick<OperatorLogEntry, 'details'>): RuleName[] {
  const [before, after] = [recordIn(details.before), recordIn(details.after)]
  return ruleNames.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]))
}

/** Returns the details of an entry, in words. */
export function changesOf({ action, details }: Pick<OperatorLogEntry, 'action' | 'details'>): FieldChange[] {
  if (action === 'invite_create') return inviteFields(details)
  if (action === 'job_retry' || action === 'job_delete') return jobFields(details)
  const [before, after] = [recordIn(details.before), recordIn(details.after)]
  if (action === 'announcement_update') return announcementChanges(before, after)
  if (action.startsWith('announcement_')) return announcementChanges({}, details)
  if (action !== 'registration_update') return []
  return changedFields({ details }).map((name) => ({
    label: ruleLabels[name],
    before: ruleValue(name, before[name]),
    after: ruleValue(name, after[name]),
  }))
}

/** Returns the task, with its name from the list of jobs, and the number of jobs. */
function jobFields({ task, count }: Rules): FieldChange[] {
  return [
    ...(typeof task === 'string' ? [fieldOf(t('Job'), task)] : []),
    ...(typeof count === 'number' ? [fieldOf(t('Number of jobs'), String(count))] : []),
  ]
}

function inviteFields({ max_uses, max_age }: Rules): FieldChange[] {
  return [
    ...(typeof max_uses === 'number'
      ? [fieldOf(t('Number of accounts'), max_uses === 0 ? t('no limit') : String(max_uses))]
      : []),
    ...(typeof max_age === 'number'
      ? [fieldOf(t('Expires after'), max_age === 0 ? t('never') : formatDuration(max_age))]
      : []),
  ]
}

function fieldOf(label: string, text: string): FieldChange {
  return { label, before: null, after: { text } }
}

function ruleValue(name: RuleName, value: unknown): Value {
  if (name === 'mode') return { text: modeLabels.find(([mode]) => mode === value)?.[1] ?? t('unknown') }
  if (name === 'puzzle') return { text: puzzleLabels.find(([mode]) => mode === value)?.[1] ?? t('unknown') }
  if (Array.isArray(value)) return { text: value.length === 0 ? t('all') : joined(value.map(String)) }
  return { text: typeof value === 'string' ? value : t('none') }
}

function recordIn(value: unknown): Rules {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
