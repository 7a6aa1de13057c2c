import type { Member } from '@foyer/protocol/members'
import { useMemo } from 'react'
import { nameColors } from '#src/roles/role-color.ts'
import { useAppState } from '#src/session/context.ts'
import { memberOf } from './member-of.ts'

/** The colours that somebody's name has in a space. @param told what an answer said of them, for those who are not listed */
export function useNameColors(
  spaceId: string | null,
  userId: string,
  told: Member | null = null,
): readonly string[] {
  const roles = useAppState((state) => state.spaces[spaceId ?? '']?.roles)
  const held = useAppState((state) => memberOf(state, spaceId, userId)?.roles) ?? told?.roles
  return useMemo(() => nameColors(roles ?? [], held ?? []), [roles, held])
}
