import type { MemberWithUser } from '@foyer/protocol/members'
import { type ReactNode, type RefObject, useMemo, useRef, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { useMemberSearch } from '#src/members/use-member-search.ts'
import { useNames } from '#src/rooms/use-names.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/button.tsx'
import { LoadError } from '#src/ui/load-error.tsx'
import { SearchField } from '#src/ui/search-field.tsx'
import { isMeant } from './matching.ts'
import { ranked } from './member-pages.ts'
import { useMemberPages } from './use-member-pages.ts'

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

/** The members, from the highest role down, and a field to find some of them. */
export function MemberFinder(props: MemberFinderProps) {
  const { space, accepts = () => true, label = t('Find a member'), nobody, input, above, children } = props
  const { pages, error, loadMore, add } = useMemberPages(space.id)
  const [query, setQuery] = useState('')
  const [limit, setLimit] = useState(STEP)
  // The pages go by rank: somebody far down is found by name, without all that are above.
  useMemberSearch(space.id, query.trim() === '' || pages.cursor === null ? null : query, add)
  const members = useMemo(() => ranked(pages, space.roles), [pages, space.roles])
  const listed = members.filter(accepts)
  const found = listed.filter((member) => isMeant(member, query))
  const nameOf = useNames(space.id)
  const finder = useRef<HTMLDivElement>(null)
  const isLoading = pages.cursor === undefined
  const isComplete = pages.cursor === null

  function showMore() {
    if (found.length <= limit) loadMore()
    setLimit(limit + STEP)
  }

  /** From the field on to the first choice that was found, where there are some to make: another key is for that. */
  function enterList() {
    finder.current?.querySelector<HTMLElement>('ul :is(input, .person-choice)')?.focus()
  }

  return (
    <div className="finder" ref={finder}>
      <SearchField label={label} value={query} onChange={setQuery} onEnter={enterList} input={input} />
      {above?.(query)}
      {found.length > 0 && (
        <ul className="settings-list">
          {found.slice(0, limit).map((member) => children(member, nameOf(member.user, member)))}
        </ul>
      )}
      <p className="finder-note" role="status">
        {isLoading && error === null && t('Loading…')}
        {listed.length === 0 && isComplete && nobody}
        {listed.length > 0 && found.length === 0 && isComplete && t('Nobody here is called that.')}
        {!isLoading &&
          !isComplete &&
          t('Looked through {listed} of {count} members.', {
            listed: pages.listed,
            count: space.member_count,
          })}
      </p>
      {error !== null && <LoadError message={error} again={loadMore} />}
      {(found.length > limit || (!isLoading && !isComplete)) && (
        <Button onClick={showMore}>{t('Show more')}</Button>
      )}
    </div>
  )
}
