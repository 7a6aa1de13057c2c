import type { Ban } from '@foyer/protocol/bans'
import { Ban as BanIcon } from 'lucide-react'
import { useRef, useState } from 'react'
import { usePeople } from '#src/session/use-people.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/button.tsx'
import { EmptyNote } from '#src/ui/empty-note.tsx'
import { SearchField } from '#src/ui/search-field.tsx'
import { isMeant } from '../members/matching.ts'
import { BanEntry } from './ban-entry.tsx'
import { useBans } from './use-bans.ts'

/** Who may not come back, and how to let them. */
export function BansSection({ space }: { space: SpaceEntry }) {
  const { bans, error, loadMore } = useBans(space.id)
  if (error !== null)
    return (
      <p role="alert" className="form-error">
        {error}
      </p>
    )
  if (bans === undefined) return <p className="settings-note">Loading…</p>
  if (bans.length === 0)
    return (
      <EmptyNote icon={<BanIcon />} title="Nobody is banned">
        Members can be banned under Members. They stand here until somebody lifts the ban.
      </EmptyNote>
    )
  return <BanList space={space} bans={bans} loadMore={loadMore} />
}

interface BanListProps {
  space: SpaceEntry
  bans: readonly Ban[]
  /** Null when these are all. */
  loadMore: (() => void) | null
}

/** Entries that are drawn at once. */
const STEP = 50

function BanList({ space, bans, loadMore }: BanListProps) {
  const [query, setQuery] = useState('')
  const [limit, setLimit] = useState(STEP)
  const search = useRef<HTMLInputElement>(null)
  const found = bans.filter(({ user }) => isMeant({ user, nickname: null }, query))
  const shown = found.slice(0, limit)
  usePeople(shown.map((ban) => ban.banned_by))

  function showMore() {
    if (found.length <= limit) loadMore?.()
    setLimit(limit + STEP)
  }

  return (
    <div className="finder">
      <SearchField label="Find a ban" value={query} onChange={setQuery} input={search} />
      <ul className="settings-list" aria-label="Bans">
        {shown.map((ban) => (
          <BanEntry key={ban.user_id} space={space} ban={ban} focusAfter={search} />
        ))}
      </ul>
      <p className="settings-note" role="status">
        {found.length === 0 && 'Nobody who is banned is called that.'}
      </p>
      {(found.length > limit || loadMore !== null) && <Button onClick={showMore}>Show more</Button>}
    </div>
  )
}
