import type { MemberWithUser } from '@foyer/protocol/members'
import { useEffect, useMemo, useState } from 'react'
import { useAppState, useSession } from '#src/session/context.ts'

export type MembersById = ReadonlyMap<string, MemberWithUser>

const NONE: never[] = []

/** Certain members of the space, those that are not among the listed ones fetched one after the other. */
export function useMembersById(spaceId: string, ids: readonly string[]): MembersById {
  const { client } = useSession()
  const list = useAppState((state) => state.members[spaceId])
  const [fetched, setFetched] = useState<MembersById>(new Map())
  const [unknown, setUnknown] = useState<readonly string[]>(NONE)
  const members = useMemo(() => withListed(fetched, list?.entries ?? NONE), [fetched, list])
  // The list is on its way as long as there is none.
  const missing = list && ids.find((id) => !members.has(id) && !unknown.includes(id))

  useEffect(() => {
    if (missing === undefined) return
    const abort = new AbortController()
    client.members.get(spaceId, missing, { signal: abort.signal }).then(
      (member) => setFetched((before) => new Map(before).set(missing, member)),
      () => abort.signal.aborted || setUnknown((before) => [...before, missing]),
    )
    return () => abort.abort()
  }, [client, spaceId, missing])

  return members
}

/** What is listed follows what happens, and counts. */
function withListed(fetched: MembersById, listed: readonly MemberWithUser[]): MembersById {
  return new Map([...fetched, ...listed.map((member) => [member.id, member] as const)])
}
