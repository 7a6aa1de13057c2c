import { limits } from '@foyer/protocol/limits'
import type { OperatorSpace } from '@foyer/protocol/operators'
import { Administration } from '@foyer/sdk/api/administration'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { Building2 } from 'lucide-react'
import { useCallback, useRef, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { SearchField } from '#src/ui/fields/search-field.tsx'
import { SelectField } from '#src/ui/fields/select-field.tsx'
import { EmptyNote } from '#src/ui/loading/empty-note.tsx'
import { PagedRows } from '../paged-rows.tsx'
import { usePages } from '../use-pages.ts'
import { usePause } from '../use-pause.ts'
import { staysIn } from './shown.ts'
import { SpaceEntry } from './space-entry.tsx'

const SHOWN = [
  ['', t('All spaces')],
  ['frozen', t('Frozen spaces')],
  ['held', t('Spaces on legal hold')],
  ['deleted', t('Deleted spaces')],
] as const

/** The spaces of this server, to find, freeze, hold, delete and bring back. Their rooms are not visible here. */
export function SpacesSection({ spacesQuery }: { spacesQuery: string }) {
  const [query, setQuery] = useState(spacesQuery)
  const [shown, setShown] = useState('')
  const sought = usePause(query.trim().slice(0, limits.nameMax))
  const search = useRef<HTMLInputElement>(null)
  const [outcome, setOutcome] = useState('')
  const read = useCallback(
    (client: Client, last: OperatorSpace | undefined, options?: CallOptions) =>
      client.api(Administration).findSpaces(
        {
          ...(sought !== '' && { query: sought }),
          ...(shown === 'frozen' && { frozen: true }),
          ...(shown === 'held' && { held: true }),
          ...(shown === 'deleted' && { deleted: true }),
          ...(last !== undefined && { after: last.space.id }),
        },
        options,
      ),
    [sought, shown],
  )
  const list = usePages(read)
  const isNarrowed = sought !== '' || shown !== ''

  function onChange(changed: OperatorSpace, message: string) {
    const { id } = changed.space
    const kept = staysIn(shown, changed) ? [changed] : []
    list.change((all) => all.flatMap((each) => (each.space.id === id ? kept : [each])))
    setOutcome(message)
  }

  return (
    <>
      <search className="operator-tools" aria-label={t('Find spaces')}>
        <SearchField
          label={t('Name, or ID of the space or its owner')}
          value={query}
          onChange={setQuery}
          input={search}
        />
        <SelectField name="shown" label={t('Show')} options={SHOWN} value={shown} onChange={setShown} />
      </search>
      <p className="visually-hidden" role="status">
        {outcome}
      </p>
      <PagedRows list={list} label={t('Spaces')} empty={<NoSpaces isNarrowed={isNarrowed} />}>
        {(found) => <SpaceEntry key={found.space.id} found={found} onChange={onChange} focusAfter={search} />}
      </PagedRows>
    </>
  )
}

function NoSpaces({ isNarrowed }: { isNarrowed: boolean }) {
  if (isNarrowed)
    return (
      <EmptyNote icon={<Building2 />} title={t('No spaces found')}>
        {t('Type the beginning of a name, or the ID of a space or its owner.')}
      </EmptyNote>
    )
  return (
    <EmptyNote icon={<Building2 />} title={t('No spaces yet')}>
      {t('Spaces that people create on this server appear here.')}
    </EmptyNote>
  )
}
