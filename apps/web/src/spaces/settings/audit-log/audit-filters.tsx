import type { User } from '@foyer/protocol/users'
import type { MouseEvent } from 'react'
import { t } from '#src/language/texts.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { TextField } from '#src/ui/fields/field.tsx'
import { SelectField } from '#src/ui/fields/select-field.tsx'
import { type ChosenFilter, isFiltered, noFilter } from './audit-filter.ts'
import { actionGroups } from './entries/action-groups.ts'
import type { EntryNames } from './entries/names.ts'
import { PersonFilter } from './person-filter.tsx'

interface AuditFiltersProps {
  space: SpaceEntry
  chosen: ChosenFilter
  names: EntryNames
  people: readonly User[]
  onChange: (chosen: ChosenFilter) => void
}

/** Narrows the log by people, action and time. */
export function AuditFilters({ space, chosen, names, people, onChange }: AuditFiltersProps) {
  const person = { space, names, people }

  function clear({ currentTarget }: MouseEvent<HTMLElement>) {
    // The focused button is about to disappear.
    currentTarget.parentElement?.querySelector('button')?.focus()
    onChange(noFilter)
  }

  return (
    <search className="audit-filters" aria-label={t('Filter the audit log')}>
      <PersonFilter
        {...person}
        label={t('Changed by')}
        value={chosen.actorId}
        onChange={(actorId) => onChange({ ...chosen, actorId })}
      />
      <PersonFilter
        {...person}
        label={t('Affected member')}
        value={chosen.targetId}
        onChange={(targetId) => onChange({ ...chosen, targetId })}
      />
      <SelectField
        name="action"
        label={t('Kind of change')}
        options={[['', t('All changes')]]}
        groups={actionGroups}
        value={chosen.action ?? ''}
        onChange={(value) => onChange({ ...chosen, action: actionOf(value) })}
      />
      <TextField
        name="from"
        type="date"
        label={t('From')}
        max={chosen.to}
        value={chosen.from}
        onValueChange={(from) => onChange({ ...chosen, from })}
      />
      <TextField
        name="to"
        type="date"
        label={t('To')}
        min={chosen.from}
        value={chosen.to}
        onValueChange={(to) => onChange({ ...chosen, to })}
      />
      {isFiltered(chosen) && <Button onClick={clear}>{t('Clear filters')}</Button>}
    </search>
  )
}

function actionOf(value: string): ChosenFilter['action'] {
  return actionNames.find((action) => action === value) ?? null
}

const actionNames = actionGroups.flatMap(({ options }) => options.map(([action]) => action))
