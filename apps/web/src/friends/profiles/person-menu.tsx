import { Menu } from '@base-ui/react/menu'
import type { Member } from '@foyer/protocol/members'
import type { User } from '@foyer/protocol/users'
import { UserRound } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { MemberItems, useMemberActions, useOutsiderActions } from '#src/members/actions/member-menu.tsx'
import { RolesSubmenu } from '#src/members/actions/roles-submenu.tsx'
import { usePermissions } from '#src/permissions/use-permissions.ts'
import { useAppState } from '#src/session/context.ts'
import { personName } from '#src/store/users.ts'
import { useAction } from '#src/ui/fields/use-action.ts'
import { PopupMenu } from '#src/ui/popups/popup-menu.tsx'
import type { PopupAnchor } from '#src/ui/popups/use-popup.ts'
import type { ProfileTask } from './profile-task.ts'
import { useProfile } from './use-profile.ts'
import { useRelationActions } from './use-relation-actions.ts'

interface PersonMenuProps {
  userId: string
  spaceId: string | null
  popup: PopupAnchor
  onTask: (task: ProfileTask) => void
}

/** Menu with the actions of a user's profile card. */
export function PersonMenu({ userId, spaceId, popup, onTask }: PersonMenuProps) {
  const { user, membership, error } = useProfile(userId, spaceId)
  const member = membership.state === 'member' ? membership.member : null
  const name = user === undefined ? '' : (member?.nickname ?? personName(user))
  return (
    <PopupMenu popup={popup} label={t('Actions for {name}', { name })}>
      <Menu.Item className="menu-item" onClick={() => onTask({ kind: 'profile', userId })}>
        <UserRound aria-hidden="true" /> {t('View full profile')}
      </Menu.Item>
      {user === undefined && <p className="menu-note">{error ?? t('Loading…')}</p>}
      {user !== undefined && user.deleted_at === null && (
        <RelationItems user={user} onTask={onTask} onDone={() => popup.onOpenChange(false)} />
      )}
      {user !== undefined && member !== null && spaceId !== null && (
        <MembershipItems spaceId={spaceId} member={member} user={user} name={name} onTask={onTask} />
      )}
      {user !== undefined && membership.state === 'gone' && spaceId !== null && (
        <OutsiderItems spaceId={spaceId} user={user} onTask={onTask} />
      )}
    </PopupMenu>
  )
}

interface RelationItemsProps {
  user: User
  onTask: (task: ProfileTask) => void
  onDone: () => void
}

/** Menu items that change the relation to the user. The menu stays open until the request has succeeded, to show an error. */
function RelationItems({ user, onTask, onDone }: RelationItemsProps) {
  const { actions, error } = useRelationActions(user, {
    onEnd: (how) =>
      onTask({ kind: 'end', person: { how, userId: user.id, name: personName(user), isBot: user.is_bot } }),
    onReport: () => onTask({ kind: 'report', user }),
    onDone,
  })
  return (
    <>
      {actions.map(({ name, label, Icon, opensDialog, pending, run }) => (
        <Menu.Item
          key={name}
          className={opensDialog ? 'menu-item menu-danger' : 'menu-item'}
          closeOnClick={opensDialog}
          disabled={pending}
          onClick={run}
        >
          <Icon aria-hidden="true" /> {label}
        </Menu.Item>
      ))}
      {error !== null && (
        <p role="alert" className="form-error menu-note">
          {error}
        </p>
      )}
    </>
  )
}

interface MembershipItemsProps {
  spaceId: string
  member: Member
  user: User
  name: string
  onTask: (task: ProfileTask) => void
}

function MembershipItems({ spaceId, member, user, name, onTask }: MembershipItemsProps) {
  const rights = usePermissions(spaceId)
  const actions = useMemberActions(member, rights)
  const space = useAppState((state) => state.spaces[spaceId])
  const action = useAction()
  const listed = { ...member, user, position: 0 }
  return (
    <>
      {space !== undefined && <RolesSubmenu space={space} member={member} rights={rights} action={action} />}
      {action.error !== null && (
        <p role="alert" className="form-error menu-note">
          {action.error}
        </p>
      )}
      <MemberItems
        actions={actions}
        onChoose={(chosen) => onTask({ kind: 'member', action: chosen, member: listed, name })}
      />
    </>
  )
}

interface OutsiderItemsProps {
  spaceId: string
  user: User
  onTask: (task: ProfileTask) => void
}

function OutsiderItems({ spaceId, user, onTask }: OutsiderItemsProps) {
  const actions = useOutsiderActions(user, spaceId)
  return (
    <MemberItems
      actions={actions}
      onChoose={() => onTask({ kind: 'ban', userId: user.id, name: personName(user) })}
    />
  )
}
