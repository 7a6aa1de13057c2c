import type { Role } from '@foyer/protocol/roles'
import { t } from '#src/language/texts.ts'
import { rolesFromTop } from '#src/permissions/rights.ts'
import { roleName } from '#src/roles/role-name.ts'
import { PermissionStates } from '#src/roles/role-permissions.tsx'
import type { SpaceEntry } from '#src/store/state.ts'

/** The permissions of a role that is not below the viewer's highest role, and why they are read-only. */
export function FixedRole({ space, role }: { space: SpaceEntry; role: Role }) {
  const own = rolesFromTop(space).find(({ id }) => id === space.id || space.member.roles.includes(id))
  return (
    <>
      <p className="settings-why">
        {own?.id === role.id
          ? t('This is your highest role. Only members above it can edit it.')
          : t('You can edit roles below your highest role, {role}.', {
              role: own === undefined ? '@everyone' : roleName(own),
            })}
      </p>
      <PermissionStates flags={role} />
    </>
  )
}
