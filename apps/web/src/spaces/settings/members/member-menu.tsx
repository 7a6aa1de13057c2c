import { Menu } from '@base-ui/react/menu'
import type { Member } from '@foyer/protocol/members'
import { Permission } from '@foyer/protocol/permissions'
import type { User } from '@foyer/protocol/users'
import { Ban, EllipsisVertical, IdCard, UserMinus } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '#src/language/texts.ts'
import type { Rights } from '#src/permissions/rights.ts'
import { usePermissions } from '#src/permissions/use-permissions.ts'
import { useAppState } from '#src/session/context.ts'
import '#src/ui/menu.css'

/** What may be done about a member. */
export type MemberDeed = 'nickname' | 'kick' | 'ban'

/** What the reader, by their rights, may do about a member. */
export function useMemberDeeds(member: Member, rights: Rights): readonly MemberDeed[] {
  const myId = useAppState((state) => state.me?.id)
  const isBelow = rights.outranks(member)
  const mayRename =
    member.id === myId ? rights.may(Permission.ChangeNickname) : rights.may(Permission.ManageRoles) && isBelow
  const mayRemove = rights.isAdministrator && isBelow
  return [...(mayRename ? ['nickname' as const] : []), ...(mayRemove ? (['kick', 'ban'] as const) : [])]
}

/** The same about who is no member of the space, or no more: without roles, nobody is above anybody. */
export function useOutsiderDeeds(user: User, spaceId: string): readonly MemberDeed[] {
  const { isAdministrator } = usePermissions(spaceId)
  const isOurs = useAppState(({ me, spaces }) => [me?.id, spaces[spaceId]?.owner_id].includes(user.id))
  return isAdministrator && !isOurs && user.deleted_at === null ? ['ban'] : []
}

interface MemberItemsProps {
  deeds: readonly MemberDeed[]
  onChoose: (deed: MemberDeed) => void
}

const LOOKS = {
  nickname: { label: t('Change nickname'), Icon: IdCard },
  kick: { label: t('Kick'), Icon: UserMinus },
  ban: { label: t('Ban'), Icon: Ban },
} as const

/** Those, in a menu. */
export function MemberItems({ deeds, onChoose }: MemberItemsProps) {
  return deeds.map((deed) => {
    const { label, Icon } = LOOKS[deed]
    const className = deed === 'nickname' ? 'menu-item' : 'menu-item menu-danger'
    return (
      <Menu.Item key={deed} className={className} onClick={() => onChoose(deed)}>
        <Icon aria-hidden="true" /> {label}
      </Menu.Item>
    )
  })
}

interface MemberMenuProps extends MemberItemsProps {
  name: string
  /** The menu's first item, where there is one: a submenu. */
  children?: ReactNode
}

/** What the reader may do about a member; nothing where that is nothing. */
export function MemberMenu({ deeds, name, onChoose, children }: MemberMenuProps) {
  if (deeds.length === 0 && !children) return null
  return (
    <Menu.Root>
      <Menu.Trigger className="icon-button settings-menu" aria-label={t('More about {name}', { name })}>
        <EllipsisVertical aria-hidden="true" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="floating" sideOffset={4} align="end">
          <Menu.Popup className="menu">
            {children}
            <MemberItems deeds={deeds} onChoose={onChoose} />
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
