import type { MemberWithUser } from '@foyer/protocol/members'
import { type ReactNode, type RefObject, useState } from 'react'
import { useMembers } from '#src/members/use-members.ts'
import { useNames } from '#src/rooms/use-names.ts'
import { useAppState } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/button.tsx'
import { SearchField } from '#src/ui/search-field.tsx'
import { isMeant } from './matching.ts'

interface MemberFinderProps {
  space: SpaceEntry
  /** Who is listed at all; everybody when it is left out. */
  accepts?: (member: MemberWithUser) => boolean
  /** Of the field that finds some of them. */
  label?: string
  /** What to say when there is nobody to list. */
  nobody: string
  input?: RefObject<HTMLInputElement | null>
  /** What else is found by what was typed, above the members. */
  above?: (query: string) => ReactNode
  /** One entry of the list. */
  children: (member: MemberWithUser, name: string) => ReactNode
}

/** Entries that are drawn at once: each may have menus of its own. */
const STEP = 50

const NONE: never[] = []

/** The members, from the highest role down, and a field to find some of them. */
export function MemberFinder(props: MemberFinderProps) {
  const { space, accepts = () => true, label = 'Find a member', nobody, input, above, children } = props
  const pages = useMembers(space.id)
  const list = useAppState((state) => state.members[space.id])
  const [query, setQuery] = useState('')
  const [limit, setLimit] = useState(STEP)
  const entries = list?.entries ?? NONE
  const listed = entries.filter(accepts)
  const found = listed.filter((member) => isMeant(member, query))
  const nameOf = useNames(space.id)
  const isComplete = list?.complete ?? false

  function showMore() {
    if (found.length <= limit) pages.loadMore()
    setLimit(limit + STEP)
  }

  return (
    <div className="finder">
      <SearchField label={label} value={query} onChange={setQuery} input={input} />
      {above?.(query)}
      {found.length > 0 && (
        <ul className="settings-list">
          {found.slice(0, limit).map((member) => children(member, nameOf(member.user)))}
        </ul>
      )}
      <p className="finder-note" role="status">
        {list === undefined && pages.error === null && 'Loading…'}
        {list !== undefined && listed.length === 0 && isComplete && nobody}
        {listed.length > 0 && found.length === 0 && isComplete && 'Nobody here is called that.'}
        {list !== undefined &&
          !isComplete &&
          `Looked through ${entries.length} of ${space.member_count} members.`}
      </p>
      {pages.error !== null && (
        <p role="alert" className="form-error">
          {pages.error}
        </p>
      )}
      {(found.length > limit || (list !== undefined && !isComplete)) && (
        <Button onClick={showMore}>Show more</Button>
      )}
    </div>
  )
}
