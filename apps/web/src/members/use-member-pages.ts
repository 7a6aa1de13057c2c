import type { Events } from '@foyer/protocol/events'
import type { MemberWithUser } from '@foyer/protocol/members'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useSession } from '#src/session/context.ts'
import { useEvent } from '#src/session/use-event.ts'
import { errorMessage } from '#src/ui/fields/form-errors.ts'
import {
  type MemberPages,
  noPages,
  PAGE,
  withChanged,
  withFound,
  withoutMember,
  withPage,
} from './member-pages.ts'

interface ShownPages {
  readonly pages: MemberPages
  readonly error: string | null
  loadMore(): void
  /** Adds members found by name. */
  add(members: readonly MemberWithUser[]): void
}

/** The members of a space by rank, kept up to date while shown. */
export function useMemberPages(spaceId: string): ShownPages {
  const { client, store } = useSession()
  const [pages, setPages] = useState(noPages)
  const [error, setError] = useState<string | null>(null)
  const isBusy = useRef(false)

  const load = useCallback(
    async (cursor: MemberPages['cursor']) => {
      if (isBusy.current || cursor === null) return
      isBusy.current = true
      try {
        const members = await client.members.list(spaceId, { ...cursor, count: PAGE })
        store.dispatch('members_loaded', { space_id: spaceId, members })
        setPages((before) => withPage(cursor === undefined ? noPages : before, members))
        setError(null)
      } catch (thrown) {
        setError(errorMessage(thrown))
      }
      isBusy.current = false
    },
    [client, store, spaceId],
  )

  const restart = useCallback(() => void load(undefined), [load])
  useEffect(restart, [restart])
  // Events may have been missed while disconnected.
  useEvent('READY', restart)
  useChanges(spaceId, setPages)
  const add = useCallback((found: readonly MemberWithUser[]) => setPages((now) => withFound(now, found)), [])
  return { pages, error, loadMore: () => void load(pages.cursor), add }
}

function useChanges(spaceId: string, change: (next: (pages: MemberPages) => MemberPages) => void): void {
  const onCreate = useCallback(
    (member: Events['SPACE_MEMBER_CREATE']) =>
      member.space_id === spaceId && change((pages) => withFound(pages, [member])),
    [spaceId, change],
  )
  const onUpdate = useCallback(
    (member: Events['SPACE_MEMBER_UPDATE']) =>
      member.space_id === spaceId && change((pages) => withChanged(pages, member)),
    [spaceId, change],
  )
  const onDelete = useCallback(
    ({ space_id, user_id }: Events['SPACE_MEMBER_DELETE']) =>
      space_id === spaceId && change((pages) => withoutMember(pages, user_id)),
    [spaceId, change],
  )
  useEvent('SPACE_MEMBER_CREATE', onCreate)
  useEvent('SPACE_MEMBER_UPDATE', onUpdate)
  useEvent('SPACE_MEMBER_DELETE', onDelete)
}
