import { Administration } from '@foyer/sdk/api/administration'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { ScrollText } from 'lucide-react'
import { useCallback, useId, useMemo, useState } from 'react'
import { t } from '#src/language/texts.ts'
import '#src/spaces/settings/audit-log/audit-log.css'
import { Button } from '#src/ui/buttons/button.tsx'
import { EmptyNote } from '#src/ui/loading/empty-note.tsx'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import type { LogTarget } from '../links.ts'
import { type PagedList, usePages } from '../use-pages.ts'
import { daysOf } from './days.ts'
import { type NamedEntry, namedEntries } from './log-entries.ts'
import { LogEntry } from './log-entry.tsx'
import { type ChosenFilter, filterOf, isFiltered, noFilter } from './log-filter.ts'
import { LogFilters } from './log-filters.tsx'

/** All actions of operators, newest first. */
export function LogSection({ logTarget }: { logTarget: LogTarget | null }) {
  const [chosen, setChosen] = useState<ChosenFilter>({ ...noFilter, target: logTarget })
  const filter = useMemo(() => filterOf(chosen), [chosen])
  const read = useCallback(
    async (client: Client, last: NamedEntry | undefined, options?: CallOptions) => {
      const before = last === undefined ? {} : { before_id: last.entry.id }
      return namedEntries(await client.api(Administration).log({ ...filter, ...before }, options))
    },
    [filter],
  )
  const list = usePages(read)
  return (
    <>
      <LogFilters chosen={chosen} entries={list.items ?? []} onChange={setChosen} onReload={list.again} />
      <Entries
        list={list}
        isNarrowed={isFiltered(chosen)}
        onTarget={chosen.target === null ? (target) => setChosen({ ...chosen, target }) : null}
      />
    </>
  )
}

interface EntriesProps {
  list: PagedList<NamedEntry>
  isNarrowed: boolean
  /** Filters the log by one account or space; null while such a filter is set. */
  onTarget: ((target: LogTarget) => void) | null
}

function Entries({ list, isNarrowed, onTarget }: EntriesProps) {
  const { items, error, again, loadMore, isLoadingMore, moreError } = list
  if (error !== null) return <LoadError message={error} again={again} />
  if (items === undefined) return <Skeleton />
  return (
    <>
      {items.length === 0 && <NoEntries isNarrowed={isNarrowed} />}
      {daysOf(items).map(({ day, entries }) => (
        <Day key={day} day={day} entries={entries} onTarget={onTarget} />
      ))}
      {moreError !== null && loadMore !== null && <LoadError message={moreError} again={loadMore} />}
      {loadMore !== null && (
        <Button pending={isLoadingMore} onClick={loadMore}>
          {t('Show more')}
        </Button>
      )}
    </>
  )
}

interface DayProps {
  day: string
  entries: readonly NamedEntry[]
  onTarget: EntriesProps['onTarget']
}

function Day({ day, entries, onTarget }: DayProps) {
  const id = useId()
  return (
    <section className="audit-day" aria-labelledby={id}>
      <h4 id={id}>{day}</h4>
      <ul className="settings-list">
        {entries.map((named) => (
          <LogEntry key={named.entry.id} named={named} onTarget={onTarget} />
        ))}
      </ul>
    </section>
  )
}

function NoEntries({ isNarrowed }: { isNarrowed: boolean }) {
  if (isNarrowed)
    return (
      <p role="status" className="finder-note">
        {t('No entries match these filters.')}
      </p>
    )
  return (
    <EmptyNote icon={<ScrollText />} title={t('No entries yet')}>
      {t('What administrators do on these pages and on the command line appears here, for a year.')}
    </EmptyNote>
  )
}
