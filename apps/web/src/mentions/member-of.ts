import type { Member, MemberWithUser } from '@foyer/protocol/members'
import type { MemberList, State } from '#src/store/state.ts'

const byId = new WeakMap<MemberList, Map<string, MemberWithUser>>()

/** A member of a space, as far as its list is loaded. Asked for every name of every message: the list is read once. */
export function memberOf(state: State, spaceId: string | null, userId: string): Member | undefined {
  if (spaceId === null) return undefined
  if (userId === state.me?.id) return state.spaces[spaceId]?.member
  const list = state.members[spaceId]
  if (list === undefined) return undefined
  const known = byId.get(list) ?? new Map(list.entries.map((entry) => [entry.id, entry]))
  byId.set(list, known)
  return known.get(userId)
}
