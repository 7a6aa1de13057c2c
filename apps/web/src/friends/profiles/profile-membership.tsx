import type { Member } from '@foyer/protocol/members'
import type { User } from '@foyer/protocol/users'
import { useRef } from 'react'
import { t } from '#src/language/texts.ts'
import { assignableRoles } from '#src/members/actions/assignable-roles.ts'
import { MemberMenu, useMemberActions, useOutsiderActions } from '#src/members/actions/member-menu.tsx'
import { MemberRoles } from '#src/members/actions/member-roles.tsx'
import { RolesSubmenu } from '#src/members/actions/roles-submenu.tsx'
import { useTimeoutEnd } from '#src/permissions/timeout.ts'
import { usePermissions } from '#src/permissions/use-permissions.ts'
import { useAppState } from '#src/session/context.ts'
import type { SpaceEntry } from '#src/store/state.ts'
import { personName } from '#src/store/users.ts'
import { useAction } from '#src/ui/fields/use-action.ts'
import { formatFull } from '#src/ui/time/time.ts'
import type { ProfileTask } from './profile-task.ts'
import type { Membership } from './use-profile.ts'

interface ProfileMembershipProps {
  spaceId: string
  membership: Membership
  user: User
  onTask: (task: ProfileTask) => void
}

/** Roles of a member, and the available actions on the member. */
export function ProfileMembership({ spaceId, membership, user, onTask }: ProfileMembershipProps) {
  const space = useAppState((state) => state.spaces[spaceId])
  if (space === undefined || membership.state === 'unknown') return null
  if (membership.state === 'gone') return <Outside space={space} user={user} onTask={onTask} />
  return <InSpace space={space} member={membership.member} user={user} onTask={onTask} />
}

interface PlaceProps extends Pick<ProfileMembershipProps, 'user' | 'onTask'> {
  space: SpaceEntry
}

function Outside({ space, user, onTask }: PlaceProps) {
  const actions = useOutsiderActions(user, space.id)
  const name = personName(user)
  if (actions.length === 0) return null
  return (
    <div className="profile-membership">
      <MemberMenu
        actions={actions}
        name={name}
        onChoose={() => onTask({ kind: 'ban', userId: user.id, name })}
      />
    </div>
  )
}

interface InSpaceProps extends PlaceProps {
  member: Member
}

function InSpace({ space, member, user, onTask }: InSpaceProps) {
  const rights = usePermissions(space.id)
  const actions = useMemberActions(member, rights)
  const name = member.nickname ?? personName(user)
  const end = useTimeoutEnd(member)
  const action = useAction()
  const around = useRef<HTMLDivElement>(null)
  const listed = { space, member: { ...member, user, position: 0 }, name, rights, focusAfter: around }
  return (
    <div ref={around} tabIndex={-1} className="profile-membership">
      <MemberRoles {...listed} action={action} />
      <MemberMenu
        actions={actions}
        name={name}
        onChoose={(chosen) => onTask({ kind: 'member', action: chosen, member: listed.member, name })}
      >
        {assignableRoles(space, rights).length > 0 && <RolesSubmenu {...listed} action={action} />}
      </MemberMenu>
      {end !== null && rights.may('TimeoutMembers') && (
        <p className="profile-timeout">
          {t('Timed out until {time}', { time: formatFull(new Date(end).toISOString()) })}
        </p>
      )}
      {action.error !== null && (
        <p role="alert" className="form-error">
          {action.error}
        </p>
      )}
    </div>
  )
}
