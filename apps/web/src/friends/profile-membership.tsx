import type { Member } from '@foyer/protocol/members'
import type { User } from '@foyer/protocol/users'
import { useRef } from 'react'
import { usePermissions } from '#src/permissions/use-permissions.ts'
import { useAppState } from '#src/session/context.ts'
import { MemberMenu } from '#src/spaces/settings/members/member-menu.tsx'
import { MemberRoles } from '#src/spaces/settings/members/member-roles.tsx'
import type { SpaceEntry } from '#src/store/state.ts'
import { useAction } from '#src/ui/use-action.ts'
import type { ProfileTask } from './profile-task.ts'

interface ProfileMembershipProps {
  spaceId: string
  member: Member
  user: User
  name: string
  onTask: (task: ProfileTask) => void
}

/** The roles somebody has in the space, and what the reader may do about them there. */
export function ProfileMembership({ spaceId, ...props }: ProfileMembershipProps) {
  const space = useAppState((state) => state.spaces[spaceId])
  return space === undefined ? null : <InSpace space={space} {...props} />
}

interface InSpaceProps extends Omit<ProfileMembershipProps, 'spaceId'> {
  space: SpaceEntry
}

function InSpace({ space, member, user, name, onTask }: InSpaceProps) {
  const rights = usePermissions(space.id)
  const action = useAction()
  const around = useRef<HTMLDivElement>(null)
  const listed = { space, member: { ...member, user, position: 0 }, name, rights, focusAfter: around }
  return (
    <div ref={around} tabIndex={-1} className="profile-membership">
      <MemberRoles {...listed} action={action} />
      <MemberMenu
        member={listed.member}
        name={name}
        rights={rights}
        onChoose={(deed) => onTask({ kind: 'member', deed, member: listed.member, name })}
      />
      {action.error !== null && (
        <p role="alert" className="form-error">
          {action.error}
        </p>
      )}
    </div>
  )
}
