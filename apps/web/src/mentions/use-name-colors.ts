import type { Member } from '@foyer/protocol/members'
import { useMemo } from 'react'
import { memberOf } from '#src/members/member-of.ts'
import { nameColors } from '#src/roles/role-color.ts'
import { useAppState } from '#src/session/context.ts'

/**
 * Returns the colours of a user's name in a space.
 * @param listed the member as sent by the server, for members that are not loaded
 */
export function useNameColors(
  spaceId: string | null,
  userId: string,
  listed: Member | null = null,
): readonly string[] {
  const roles = useAppState((state) => state.spaces[spaceId ?? '']?.roles)
  const held = useAppState((state) => memberOf(state, spaceId, userId)?.roles) ?? listed?.roles
  return useMemo(() => nameColors(roles ?? [], held ?? []), [roles, held])
}
