import type { ListMembersQuery } from '@foyer/protocol/members'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useAppState, useSession } from '#src/session/context.ts'
import { errorMessage } from '#src/ui/form-errors.ts'

const PAGE = 100

export interface MemberPages {
  readonly error: string | null
  readonly loadMore: () => void
}

/** Has a space's first members, who name most messages too, and fetches more of them when asked. */
export function useMembers(spaceId: string): MemberPages {
  const { client, store } = useSession()
  const list = useAppState((state) => state.members[spaceId])
  const isKnown = useAppState((state) => spaceId in state.spaces)
  const isConnected = useAppState((state) => state.connection === 'ready')
  const [error, setError] = useState<string | null>(null)
  const busy = useRef(false)
  const outdated = list === undefined || list.stale
  const last = list?.entries.at(-1)

  const load = useCallback(
    async (cursor: ListMembersQuery, first: boolean) => {
      // The first page is always worth asking for: it is what replaces a list that may have missed something.
      if (busy.current && !first) return
      busy.current = true
      try {
        const members = await client.members.list(spaceId, { ...cursor, count: PAGE })
        store.dispatch('members_loaded', {
          space_id: spaceId,
          members,
          first,
          complete: members.length < PAGE,
        })
        setError(null)
      } catch (thrown) {
        setError(errorMessage(thrown))
      }
      busy.current = false
    },
    [client, store, spaceId],
  )

  useEffect(() => {
    if (outdated && isKnown && isConnected) void load({}, true)
  }, [outdated, isKnown, isConnected, load])

  const afterId = last?.id
  const afterPosition = last?.position
  const loadMore = useCallback(() => {
    if (afterId === undefined || afterPosition === undefined) return
    void load({ after_id: afterId, after_pos: afterPosition }, false)
  }, [load, afterId, afterPosition])
  return { error, loadMore }
}
