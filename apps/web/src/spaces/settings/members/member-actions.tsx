import { Menu } from '@base-ui/react/menu'
import { Permission } from '@foyer/protocol/permissions'
import { Ban, EllipsisVertical, IdCard, UserMinus } from 'lucide-react'
import { useState } from 'react'
import { useAppState } from '#src/session/context.ts'
import '#src/ui/menu.css'
import { BanDialog } from './ban-dialog.tsx'
import { KickMember } from './kick-member.tsx'
import type { ListedMember } from './listed-member.ts'
import { NicknameDialog } from './nickname-dialog.tsx'

/** What the reader may do about a member; nothing where that is nothing. */
export function MemberActions({ space, member, name, rights, focusAfter }: ListedMember) {
  const myId = useAppState((state) => state.me?.id)
  const [open, setOpen] = useState<'nickname' | 'kick' | 'ban' | null>(null)
  const close = () => setOpen(null)
  const isBelow = rights.outranks(member)
  const mayRename =
    member.id === myId ? rights.may(Permission.ChangeNickname) : rights.may(Permission.ManageRoles) && isBelow
  const mayRemove = rights.isAdministrator && isBelow
  if (!mayRename && !mayRemove) return null
  return (
    <>
      <Menu.Root>
        <Menu.Trigger className="icon-button settings-menu" aria-label={`More about ${name}`}>
          <EllipsisVertical aria-hidden="true" />
        </Menu.Trigger>
        <Menu.Portal>
          <Menu.Positioner className="floating" sideOffset={4} align="end">
            <Menu.Popup className="menu">
              {mayRename && (
                <Menu.Item className="menu-item" onClick={() => setOpen('nickname')}>
                  <IdCard aria-hidden="true" /> Change nickname
                </Menu.Item>
              )}
              {mayRemove && (
                <>
                  <Menu.Item className="menu-item menu-danger" onClick={() => setOpen('kick')}>
                    <UserMinus aria-hidden="true" /> Kick
                  </Menu.Item>
                  <Menu.Item className="menu-item menu-danger" onClick={() => setOpen('ban')}>
                    <Ban aria-hidden="true" /> Ban
                  </Menu.Item>
                </>
              )}
            </Menu.Popup>
          </Menu.Positioner>
        </Menu.Portal>
      </Menu.Root>
      {open === 'nickname' && (
        <NicknameDialog space={space} member={member} username={member.user.username} onClose={close} />
      )}
      {open === 'kick' && (
        <KickMember space={space} member={member} name={name} onClose={close} focusAfter={focusAfter} />
      )}
      {open === 'ban' && <BanDialog space={space} member={member} name={name} onClose={close} />}
    </>
  )
}
