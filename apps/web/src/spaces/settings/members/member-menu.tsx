import { Menu } from '@base-ui/react/menu'
import type { Member } from '@foyer/protocol/members'
import { Permission } from '@foyer/protocol/permissions'
import { Ban, EllipsisVertical, IdCard, UserMinus } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import type { Rights } from '#src/permissions/rights.ts'
import { useAppState } from '#src/session/context.ts'
import '#src/ui/menu.css'

/** What may be done about a member. */
export type MemberDeed = 'nickname' | 'kick' | 'ban'

interface MemberMenuProps {
  member: Member
  name: string
  /** Those of the reader. */
  rights: Rights
  onChoose: (deed: MemberDeed) => void
}

/** What the reader may do about a member; nothing where that is nothing. */
export function MemberMenu({ member, name, rights, onChoose }: MemberMenuProps) {
  const myId = useAppState((state) => state.me?.id)
  const isBelow = rights.outranks(member)
  const mayRename =
    member.id === myId ? rights.may(Permission.ChangeNickname) : rights.may(Permission.ManageRoles) && isBelow
  const mayRemove = rights.isAdministrator && isBelow
  if (!mayRename && !mayRemove) return null
  return (
    <Menu.Root>
      <Menu.Trigger className="icon-button settings-menu" aria-label={t('More about {name}', { name })}>
        <EllipsisVertical aria-hidden="true" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="floating" sideOffset={4} align="end">
          <Menu.Popup className="menu">
            {mayRename && (
              <Menu.Item className="menu-item" onClick={() => onChoose('nickname')}>
                <IdCard aria-hidden="true" /> {t('Change nickname')}
              </Menu.Item>
            )}
            {mayRemove && (
              <>
                <Menu.Item className="menu-item menu-danger" onClick={() => onChoose('kick')}>
                  <UserMinus aria-hidden="true" /> {t('Kick')}
                </Menu.Item>
                <Menu.Item className="menu-item menu-danger" onClick={() => onChoose('ban')}>
                  <Ban aria-hidden="true" /> {t('Ban')}
                </Menu.Item>
              </>
            )}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
