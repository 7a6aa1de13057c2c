import type { MemberWithUser } from '@foyer/protocol/members'
import { type ReactNode, type RefObject, useMemo, useRef, useState } from 'react'
import { t } from '#src/language/texts.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { SearchField } from '#src/ui/fields/search-field.tsx'
import { LoadError } from '#src/ui/loading/load-error.tsx'
import { matchesMember } from './matching.ts'
import { ranked } from './member-pages.ts'
import { useMemberPages } from './use-member-pages.ts'
import { useMemberSearch } from './use-member-search.ts'
import { useNames } from './use-names.ts'

interface MemberFinderProps {
  space: SpaceEntry
  /** Filters the list; defaults to all members. */
  accepts?: (member: MemberWithUser) => boolean
  /** Label of the search field. */
  label?: string
  /** Shown when the list is empty. */
  nobody: string
  input?: RefObject<HTMLInputElement | null>
  /** Other results for the query, shown above the members. */
  above?: (query: string) => ReactNode
  /** Renders one entry. */
  children: (member: MemberWithUser, name: string) => ReactNode
}

/** Entries rendered per page: each may have its own menus. */
const STEP = 50

/** The members by rank, with a search field. */
export function MemberFinder(props: MemberFinderProps) {
  const { space, accepts = () => true, label = t('Search members'), nobody, input, above, children } = props
  const { pages, error, loadMore, add } = useMemberPages(space.id)
  const [query, setQuery] = useState('')
  const [limit, setLimit] = useState(STEP)
  // Members on pages that are not loaded yet are found by a search for their name.
  useMemberSearch(space.id, query.trim() === '' || pages.cursor === null ? null : query, add)
  const members = useMemo(() => ranked(pages, space.roles), [pages, space.roles])
  const listed = members.filter(accepts)
  const found = listed.filter((member) => matchesMember(member, query))
  const nameOf = useNames(space.id)
  const finder = useRef<HTMLDivElement>(null)
  const isLoading = pages.cursor === undefined
  const isComplete = pages.cursor === null

  function showMore() {
    if (found.length <= limit) loadMore()
    setLimit(limit + STEP)
  }

  /** Moves the focus to the first result that can be chosen. Enter only moves there; another key chooses. */
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
        {listed.length > 0 && found.length === 0 && isComplete && t('No members match.')}
        {!isLoading &&
          !isComplete &&
          t('Searched {listed} of {count} members.', {
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
