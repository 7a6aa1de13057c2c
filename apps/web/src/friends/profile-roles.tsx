import type { Member } from '@foyer/protocol/members'
import { useMemo } from 'react'
import { ColorDot } from '#src/roles/colored-name.tsx'
import { colorsOf } from '#src/roles/role-color.ts'
import { useAppState } from '#src/session/context.ts'

/** The roles that a member was given, the highest first. */
export function ProfileRoles({ spaceId, member }: { spaceId: string; member: Member }) {
  const all = useAppState((state) => state.spaces[spaceId]?.roles)
  const roles = useMemo(
    () =>
      (all ?? []).filter((role) => member.roles.includes(role.id)).sort((a, b) => b.position - a.position),
    [all, member.roles],
  )
  if (roles.length === 0) return null
  return (
    <ul className="profile-roles" aria-label="Roles">
      {roles.map((role) => (
        <li key={role.id}>
          <ColorDot colors={colorsOf(role)} />
          <span>{role.name}</span>
        </li>
      ))}
    </ul>
  )
}
