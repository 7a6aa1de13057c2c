import type { Ban } from '@foyer/protocol/bans'
import { Ban as BanIcon } from 'lucide-react'
import { useRef, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { matchesMember } from '#src/members/matching.ts'
import { usePeople } from '#src/session/use-people.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { SearchField } from '#src/ui/fields/search-field.tsx'
import { EmptyNote } from '#src/ui/loading/empty-note.tsx'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { Skeleton } from '#src/ui/loading/skeleton.tsx'
import { AppealsPart } from './appeals/appeals-part.tsx'
import { BanByName } from './ban-by-name.tsx'
import { BanEntry } from './ban-entry.tsx'
import { type Bans, useBans } from './use-bans.ts'

/** The bans of the space: add, edit and lift them, and decide about appeals against them. */
export function BansSection({ space }: { space: SpaceEntry }) {
  const list = useBans(space.id)
  return (
    <>
      <BanByName space={space} bans={list.bans ?? []} />
      <AppealsPart space={space} />
      <KnownBans space={space} list={list} />
    </>
  )
}

function KnownBans({ space, list }: { space: SpaceEntry; list: Bans }) {
  const { bans, error, again, loadMore, moreError } = list
  if (error !== null) return <LoadError message={error} again={again} />
  if (bans === undefined) return <Skeleton />
  if (bans.length === 0)
    return (
      <EmptyNote icon={<BanIcon />} title={t('No one is banned')}>
        {t('Banned members are listed here. You can ban people from the Members page.')}
      </EmptyNote>
    )
  return <BanList space={space} bans={bans} loadMore={loadMore} error={moreError} />
}

interface BanListProps {
  space: SpaceEntry
  bans: readonly Ban[]
  /** Null when all bans are loaded. */
  loadMore: (() => void) | null
  error: string | null
}

/** Entries rendered per page. */
const STEP = 50

function BanList({ space, bans, loadMore, error }: BanListProps) {
  const [query, setQuery] = useState('')
  const [limit, setLimit] = useState(STEP)
  const search = useRef<HTMLInputElement>(null)
  const found = bans.filter(({ user }) => matchesMember({ user, nickname: null }, query))
  const shown = found.slice(0, limit)
  usePeople(shown.map((ban) => ban.banned_by))

  function showMore() {
    if (found.length <= limit) loadMore?.()
    setLimit(limit + STEP)
  }

  return (
    <div className="finder">
      <SearchField label={t('Search bans')} value={query} onChange={setQuery} input={search} />
      <ul className="settings-list" aria-label={t('Bans')}>
        {shown.map((ban) => (
          <BanEntry key={ban.user_id} space={space} ban={ban} focusAfter={search} />
        ))}
      </ul>
      <p className="settings-note" role="status">
        {found.length === 0 && t('No bans match.')}
      </p>
      {error !== null && loadMore !== null && <LoadError message={error} again={loadMore} />}
      {(found.length > limit || loadMore !== null) && <Button onClick={showMore}>{t('Show more')}</Button>}
    </div>
  )
}
