import type { MemberWithUser } from '@foyer/protocol/members'
import { useEffect, useRef } from 'react'
import { useSession } from '#src/session/context.ts'

/** Nobody is asked for while the letters come faster than this. */
const PAUSE_MS = 200
const LIMIT = 50

/** Whose answers are all there is: what begins with such a query needs no question. */
type Answered = Map<string, 'some' | 'all'>

/**
 * Asks the server for the members one of whose names begins with what was typed; with nothing, for the first of all. The
 * store takes in the answer.
 * @param query null asks for nobody
 * @param onFound the same function as long as it means the same
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
        // Who is known already can be chosen; the next letter asks again.
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
