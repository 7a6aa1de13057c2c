import { Menu } from '@base-ui/react/menu'
import type { Member } from '@foyer/protocol/members'
import { Permission } from '@foyer/protocol/permissions'
import type { User } from '@foyer/protocol/users'
import { Ban, Clock, EllipsisVertical, IdCard, UserMinus } from 'lucide-react'
import type { ReactNode } from 'react'
import { t } from '#src/language/texts.ts'
import type { Rights } from '#src/permissions/rights.ts'
import { useTimeoutEnd } from '#src/permissions/timeout.ts'
import { usePermissions } from '#src/permissions/use-permissions.ts'
import { useAppState } from '#src/session/context.ts'
import '#src/ui/popups/menu.css'

/** An action on a member. */
export type MemberAction = 'nickname' | 'timeout' | 'release' | 'kick' | 'ban'

/** The actions that the viewer's rights allow on a member. */
export function useMemberActions(member: Member, rights: Rights): readonly MemberAction[] {
  const myId = useAppState((state) => state.me?.id)
  const isBelow = rights.outranks(member)
  const mayRenameOthers = rights.may(Permission.ManageRoles) || rights.may('ManageNicknames')
  const mayTimeOut = rights.may('TimeoutMembers') && isBelow
  const isTimedOut = useTimeoutEnd(member) !== null
  const allowed = {
    nickname: member.id === myId ? rights.may(Permission.ChangeNickname) : mayRenameOthers && isBelow,
    timeout: mayTimeOut && !isTimedOut,
    release: mayTimeOut && isTimedOut,
    kick: rights.may('KickMembers') && isBelow,
    ban: rights.may('BanMembers') && isBelow,
  }
  return (['nickname', 'timeout', 'release', 'kick', 'ban'] as const).filter((action) => allowed[action])
}

/** The actions on a user who is not a member of the space. Rank does not matter here. */
export function useOutsiderActions(user: User, spaceId: string): readonly MemberAction[] {
  const rights = usePermissions(spaceId)
  const isOurs = useAppState(({ me, spaces }) => [me?.id, spaces[spaceId]?.owner_id].includes(user.id))
  return rights.may('BanMembers') && !isOurs && user.deleted_at === null ? ['ban'] : []
}

interface MemberItemsProps {
  actions: readonly MemberAction[]
  onChoose: (action: MemberAction) => void
}

/** Labels and icons of the actions. */
export const actionLooks = {
  nickname: { label: t('Change nickname'), Icon: IdCard },
  timeout: { label: t('Time out'), Icon: Clock },
  release: { label: t('Remove timeout'), Icon: Clock },
  kick: { label: t('Kick'), Icon: UserMinus },
  ban: { label: t('Ban'), Icon: Ban },
} as const

/** Menu items for the actions. */
export function MemberItems({ actions, onChoose }: MemberItemsProps) {
  return actions.map((action) => {
    const { label, Icon } = actionLooks[action]
    const isGentle = action === 'nickname' || action === 'release'
    const className = isGentle ? 'menu-item' : 'menu-item menu-danger'
    return (
      <Menu.Item key={action} className={className} onClick={() => onChoose(action)}>
        <Icon aria-hidden="true" /> {label}
      </Menu.Item>
    )
  })
}

interface MemberMenuProps extends MemberItemsProps {
  name: string
  /** An optional submenu, shown first. */
  children?: ReactNode
}

/** A menu of actions on a member; nothing if there are none. */
export function MemberMenu({ actions, name, onChoose, children }: MemberMenuProps) {
  if (actions.length === 0 && !children) return null
  return (
    <Menu.Root>
      <Menu.Trigger className="icon-button settings-menu" aria-label={t('More options for {name}', { name })}>
        <EllipsisVertical aria-hidden="true" />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner className="floating" sideOffset={4} align="end">
          <Menu.Popup className="menu">
            {children}
            <MemberItems actions={actions} onChoose={onChoose} />
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
