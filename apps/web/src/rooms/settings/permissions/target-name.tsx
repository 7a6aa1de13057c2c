import { OverwriteTarget } from '@foyer/protocol/permissions'
import { t } from '#src/language/texts.ts'
import type { MembersById } from '#src/members/use-known-members.ts'
import { useNames } from '#src/members/use-names.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { ColorDot } from '#src/roles/colored-name.tsx'
import { colorsOf } from '#src/roles/role-color.ts'
import { roleName } from '#src/roles/role-name.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import type { Target } from './target.ts'

/** Returns a function that names the targets of overwrites. */
export function useTargetNames(space: SpaceEntry, members: MembersById): (target: Target) => string {
  const nameOf = useNames(space.id)
  return ({ id, type }) => {
    if (type === OverwriteTarget.Role) {
      const role = space.roles.find((other) => other.id === id)
      return role === undefined ? t('Deleted role') : roleName(role)
    }
    const member = members.get(id)
    return member === undefined ? t('Unknown member') : nameOf(member.user, member)
  }
}

interface TargetNameProps {
  space: SpaceEntry
  target: Target
  name: string
}

/** A target in a list: a role with its colour, or a member with their avatar. */
export function TargetName({ space, target, name }: TargetNameProps) {
  const role = space.roles.find(({ id }) => id === target.id)
  return (
    <>
      <span className="target-sign">
        {target.type === OverwriteTarget.Member ? (
          <Avatar id={target.id} name={name} size="sm" />
        ) : (
          <ColorDot colors={role === undefined ? [] : colorsOf(role)} />
        )}
      </span>
      <span className="target-name" dir="auto">
        {name}
      </span>
    </>
  )
}
