import type { Member } from '@foyer/protocol/members'
import type { State } from '#src/store/state.ts'

/** Returns a member of a space if the client knows them. */
export function memberOf(state: State, spaceId: string | null, userId: string): Member | undefined {
  if (spaceId === null) return undefined
  if (userId === state.me?.id) return state.spaces[spaceId]?.member
  return state.members[spaceId]?.[userId]
}
