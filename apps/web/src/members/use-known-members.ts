import type { MemberWithUser } from '@foyer/protocol/members'
import { useEffect, useMemo } from 'react'
import { useAppState, useSession } from '#src/session/context.ts'
import type { Session } from '#src/session/session.ts'
import { MemberLookup } from './lookup.ts'

export type MembersById = ReadonlyMap<string, MemberWithUser>

/** Returns members of a space by id. Requests unknown members in batches. */
export function useKnownMembers(spaceId: string | null, ids: readonly string[]): MembersById {
  const session = useSession()
  const known = useAppState((state) => state.members[spaceId ?? ''])
  const key = ids.join(' ')
  const members = useMemo(() => {
    const found = key.split(' ').flatMap((id) => known?.[id] ?? [])
    return new Map(found.map((member) => [member.user_id, member]))
  }, [known, key])
  const missing = key.split(' ').filter((id) => id !== '' && !members.has(id))
  const missingKey = missing.join(' ')

  useEffect(() => {
    if (spaceId !== null && missingKey !== '') lookupOf(session).want(spaceId, missingKey.split(' '))
  }, [session, spaceId, missingKey])

  return members
}

const lookups = new WeakMap<Session, MemberLookup>()

function lookupOf(session: Session): MemberLookup {
  const found = lookups.get(session) ?? new MemberLookup(session.client.gateway)
  if (!lookups.has(session)) session.client.gateway.on('READY', () => found.forget())
  lookups.set(session, found)
  return found
}
