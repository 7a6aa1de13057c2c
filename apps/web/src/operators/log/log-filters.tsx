import type { Operator } from '@foyer/protocol/operators'
import type { User } from '@foyer/protocol/users'
import { Administration } from '@foyer/sdk/api/administration'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { RefreshCw } from 'lucide-react'
import { useRef } from 'react'
import { t } from '#src/language/texts.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { SelectField } from '#src/ui/fields/select-field.tsx'
import type { NamedEntry } from './log-entries.ts'
import { type ChosenFilter, isFiltered, noFilter } from './log-filter.ts'
import { actionLabels } from './sentences.ts'

const ask = (client: Client, options: CallOptions) => client.api(Administration).list(options)

interface LogFiltersProps {
  chosen: ChosenFilter
  entries: readonly NamedEntry[]
  onChange: (chosen: ChosenFilter) => void
  onReload: () => void
}

/** Narrows the log by administrator, action, and account or space. */
export function LogFilters({ chosen, entries, onChange, onReload }: LogFiltersProps) {
  const people = useActors(entries)
  const filters = useRef<HTMLElement>(null)

  function clear() {
    // The button is about to disappear.
    filters.current?.querySelector('select')?.focus()
    onChange(noFilter)
  }

  return (
    <search ref={filters} className="operator-filters" aria-label={t('Filter the log')}>
      <SelectField
        name="actor"
        label={t('By')}
        options={[['', t('Anyone')], ...people]}
        value={chosen.actorId ?? ''}
        onChange={(value) => onChange({ ...chosen, actorId: value || null })}
      />
      <SelectField
        name="action"
        label={t('Action')}
        options={[['', t('All actions')], ...actionLabels]}
        value={chosen.action ?? ''}
        onChange={(value) => onChange({ ...chosen, action: actionOf(value) })}
      />
      <div className="operator-filters-end">
        {chosen.target !== null && (
          <span className="settings-note">
            {t('Only entries about {name}', { name: chosen.target.name })}
          </span>
        )}
        {isFiltered(chosen) && <Button onClick={clear}>{t('Clear filters')}</Button>}
        <Button onClick={onReload}>
          <RefreshCw aria-hidden="true" /> {t('Check for new entries')}
        </Button>
      </div>
    </search>
  )
}

function actionOf(value: string): ChosenFilter['action'] {
  return actionLabels.find(([action]) => action === value)?.[0] ?? null
}

/** Current operators, and former ones from the loaded entries, as options. */
function useActors(entries: readonly NamedEntry[]): (readonly [string, string])[] {
  const { answer } = useAnswer<readonly Operator[]>(ask)
  const known = useRef(new Map<string, User>())
  const present = answer.state === 'here' ? answer.value.map(({ user }) => user) : []
  // The filter hides the entries of other operators, but their names stay among the options.
  for (const user of [...present, ...entries.flatMap(({ actor }) => actor ?? [])])
    known.current.set(user.id, user)
  return [...known.current.values()].map(({ id, username, deleted_at }) => [
    id,
    deleted_at === null ? `@${username}` : t('Deleted account'),
  ])
}
