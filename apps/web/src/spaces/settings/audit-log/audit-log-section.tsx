import type { AuditLogEntry } from '@foyer/protocol/audit-log'
import { ScrollText } from 'lucide-react'
import { type ReactNode, useId, useMemo, useState } from 'react'
import { t } from '#src/language/texts.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { EmptyNote } from '#src/ui/loading/empty-note.tsx'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { formatDay } from '#src/ui/time/time.ts'
import { AuditEntry } from './audit-entry.tsx'
import { filterOf, isFiltered, noFilter } from './audit-filter.ts'
import { AuditFilters } from './audit-filters.tsx'
import './audit-log.css'
import { DownloadLog } from './download-log.tsx'
import type { EntryNames } from './entries/names.ts'
import { KeepEntries } from './keep-entries.tsx'
import { emptyLog } from './log-entries.ts'
import { type AuditLogList, useAuditLog } from './use-audit-log.ts'
import { useEntryNames } from './use-entry-names.ts'

/** All changes of the space, newest first, with controls to find and undo them. */
export function AuditLogSection({ space }: { space: SpaceEntry }) {
  const [chosen, setChosen] = useState(noFilter)
  const filter = useMemo(() => filterOf(chosen), [chosen])
  const list = useAuditLog(space.id, filter)
  const { users } = list.log ?? emptyLog
  const names = useEntryNames(space, list.log ?? emptyLog)
  return (
    <>
      <div className="audit-tools">
        <KeepEntries space={space} />
        <DownloadLog spaceId={space.id} filter={filter} />
      </div>
      <AuditFilters
        space={space}
        chosen={chosen}
        names={names}
        people={Object.values(users)}
        onChange={setChosen}
      />
      <LoadedEntries list={list} names={names} isNarrowed={isFiltered(chosen)} />
    </>
  )
}

interface LoadedEntriesProps {
  list: AuditLogList
  names: EntryNames
  isNarrowed: boolean
}

function LoadedEntries({ list, names, isNarrowed }: LoadedEntriesProps) {
  const { log, isLoading, error, again, loadMore, isLoadingMore, moreError, add } = list
  if (isLoading) return <Skeleton />
  if (error !== null) return <LoadError message={error} again={again} />
  if (log === undefined) return null
  return (
    <>
      {log.entries.length === 0 && <NoEntries isNarrowed={isNarrowed} />}
      {daysOf(log.entries).map(({ day, entries }) => (
        <Day key={day} day={day}>
          {entries.map((entry) => (
            <AuditEntry key={entry.id} entry={entry} names={names} users={log.users} onUndone={add} />
          ))}
        </Day>
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

function NoEntries({ isNarrowed }: { isNarrowed: boolean }) {
  if (isNarrowed)
    return (
      <p role="status" className="finder-note">
        {t('No changes match these filters.')}
      </p>
    )
  return (
    <EmptyNote icon={<ScrollText />} title={t('No changes yet')}>
      {t('Changes to this space appear here, with the people who made them.')}
    </EmptyNote>
  )
}

function Day({ day, children }: { day: string; children: ReactNode }) {
  const id = useId()
  return (
    <section className="audit-day" aria-labelledby={id}>
      <h4 id={id}>{day}</h4>
      <ul className="settings-list">{children}</ul>
    </section>
  )
}

interface DayOfLog {
  readonly day: string
  readonly entries: AuditLogEntry[]
}

function daysOf(entries: readonly AuditLogEntry[]): DayOfLog[] {
  const days: DayOfLog[] = []
  for (const entry of entries) {
    const day = formatDay(entry.created_at)
    const last = days.at(-1)
    if (last?.day === day) last.entries.push(entry)
    else days.push({ day, entries: [entry] })
  }
  return days
}
