import type { MemberWithUser } from '@foyer/protocol/members'
import { useEffect, useRef } from 'react'
import { useSession } from '#src/session/context.ts'

/** Pause in typing after which the server receives a request. */
const PAUSE_MS = 200
const LIMIT = 50

/** Answered queries. If one returned all matches, longer queries need no request. */
type Answered = Map<string, 'some' | 'all'>

/**
 * Asks the server for members with a name that starts with the query; if empty, for the first members. The store
 * handles the answer.
 * @param query null for no request
 * @param onFound must be stable between renders
 */
export function useMemberSearch(
  spaceId: string | null,
  query: string | null,
  onFound?: (members: readonly MemberWithUser[]) => void,
): void {
  const { gateway } = useSession().client
  const answered = useRef<{ spaceId: string; queries: Answered }>({ spaceId: '', queries: new Map() })
  const sought = query?.trim().replace(/^@/, '').toLowerCase() ?? null

  useEffect(() => {
    if (spaceId === null || sought === null) return
    if (answered.current.spaceId !== spaceId) answered.current = { spaceId, queries: new Map() }
    const { queries } = answered.current
    if (isAnswered(queries, sought)) return
    let isOver = false
    const timer = setTimeout(() => {
      gateway.requestMembers({ space_id: spaceId, query: sought, limit: LIMIT }).then(
        ({ members }) => {
          queries.set(sought, members.length < LIMIT ? 'all' : 'some')
          if (!isOver) onFound?.(members)
        },
        // Known members can still be chosen, and the next letter tries again.
        () => undefined,
      )
    }, PAUSE_MS)
    return () => {
      isOver = true
      clearTimeout(timer)
    }
  }, [gateway, spaceId, sought, onFound])
}

function isAnswered(queries: Answered, sought: string): boolean {
  if (queries.has(sought)) return true
  return [...queries].some(([query, answer]) => answer === 'all' && sought.startsWith(query))
}
