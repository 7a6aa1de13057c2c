import { Menu } from '@base-ui/react/menu'
import type { Role } from '@foyer/protocol/roles'
import { Plus, X } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { rolesFromTop } from '#src/permissions/rights.ts'
import { ColorDot } from '#src/roles/colored-name.tsx'
import { colorsOf } from '#src/roles/role-color.ts'
import { useSession } from '#src/session/context.ts'
import '#src/ui/popups/menu.css'
import type { Action } from '#src/ui/fields/use-action.ts'
import type { ListedMember } from '../listed-member.ts'
import { isAssignable } from './assignable-roles.ts'
import './member-roles.css'

/** The roles of a member, with buttons for those that the viewer may assign or remove. */
export function MemberRoles({ space, member, name, rights, action }: ListedMember & { action: Action }) {
  const { client } = useSession()
  const roles = rolesFromTop(space).filter((role) => role.id !== space.id)
  const mayAssign = (role: Role) => isAssignable(role, rights)
  const held = roles.filter((role) => member.roles.includes(role.id))
  const others = roles.filter((role) => !member.roles.includes(role.id) && mayAssign(role))

  // The response is empty; the gateway sends the changed member.
  const give = (role: Role) => action.run(() => client.roles.assign(space.id, member.id, role.id))
  const take = (role: Role) => action.run(() => client.roles.remove(space.id, member.id, role.id))

  return (
    <ul className="role-chips" aria-label={t('{name}’s roles', { name })}>
      {held.map((role) => (
        <li key={role.id} className="role-chip">
          <ColorDot colors={colorsOf(role)} />
          <span className="role-chip-name" dir="auto">
            {role.name}
          </span>
          {mayAssign(role) && (
            <button
              type="button"
              className="role-chip-take"
              aria-label={t('Remove {role} from {name}', { role: role.name, name })}
              onClick={() => take(role)}
            >
              <X aria-hidden="true" />
            </button>
          )}
        </li>
      ))}
      {others.length > 0 && (
        <li>
          <RoleMenu name={name} roles={others} onChoose={give} />
        </li>
      )}
    </ul>
  )
}

interface RoleMenuProps {
  name: string
  roles: readonly Role[]
  onChoose: (role: Role) => void
}

function RoleMenu({ name, roles, onChoose }: RoleMenuProps) {
  return (
    <Menu.Root>
      <Menu.Trigger className="role-add" aria-label={t('Add role to {name}', { name })}>
        <Plus aria-hidden="true" /> {t('Add role')}
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="floating" sideOffset={4} align="start">
          <Menu.Popup className="menu role-menu">
            {roles.map((role) => (
              <Menu.Item key={role.id} className="menu-item" onClick={() => onChoose(role)}>
                <ColorDot colors={colorsOf(role)} />
                {role.name}
              </Menu.Item>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
