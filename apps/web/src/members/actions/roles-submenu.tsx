import { Menu } from '@base-ui/react/menu'
import type { Member } from '@foyer/protocol/members'
import { Check, ChevronRight, Tag } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import type { Rights } from '#src/permissions/rights.ts'
import { ColorDot } from '#src/roles/colored-name.tsx'
import { colorsOf } from '#src/roles/role-color.ts'
import { useSession } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import '#src/ui/popups/menu.css'
import type { Action } from '#src/ui/fields/use-action.ts'
import { assignableRoles } from './assignable-roles.ts'
import './roles-submenu.css'

interface RolesSubmenuProps {
  space: SpaceEntry
  member: Member
  /** Rights of the viewer. */
  rights: Rights
  action: Action
}

/** The roles that the viewer may assign or remove. The member's roles are checked. */
export function RolesSubmenu({ space, member, rights, action }: RolesSubmenuProps) {
  const { client } = useSession()
  const roles = assignableRoles(space, rights)
  if (roles.length === 0) return null

  // The gateway sends the changed member.
  function change(roleId: string, isGiven: boolean) {
    const ids = [space.id, member.id, roleId] as const
    action.run(() => (isGiven ? client.roles.assign(...ids) : client.roles.remove(...ids)))
  }

  return (
    <Menu.SubmenuRoot>
      <Menu.SubmenuTrigger className="menu-item">
        <Tag aria-hidden="true" /> {t('Roles')} <ChevronRight className="submenu-sign" aria-hidden="true" />
      </Menu.SubmenuTrigger>
      <Menu.Portal>
        <Menu.Positioner className="floating" sideOffset={4}>
          <Menu.Popup className="menu role-menu">
            {roles.map((role) => (
              <Menu.CheckboxItem
                key={role.id}
                className="menu-item"
                checked={member.roles.includes(role.id)}
                onCheckedChange={(isGiven) => change(role.id, isGiven)}
              >
                <span className="role-check">
                  <Menu.CheckboxItemIndicator>
                    <Check aria-hidden="true" />
                  </Menu.CheckboxItemIndicator>
                </span>
                <ColorDot colors={colorsOf(role)} />
                {role.name}
              </Menu.CheckboxItem>
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.SubmenuRoot>
  )
}
