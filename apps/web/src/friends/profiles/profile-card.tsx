import { Popover } from '@base-ui/react/popover'
import { UserRound } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { personName } from '#src/store/users.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { formatDate } from '#src/ui/time/time.ts'
import { ProfileFace } from './profile-face.tsx'
import { ProfileMembership } from './profile-membership.tsx'
import type { ProfileTask } from './profile-task.ts'
import { RelationActions } from './relation-actions.tsx'
import { type Membership, useProfile } from './use-profile.ts'

export interface ProfileCardProps {
  userId: string
  spaceId: string | null
  onTask: (task: ProfileTask) => void
}

/** A user's profile, membership of the current space, and actions. */
export function ProfileCard({ userId, spaceId, onTask }: ProfileCardProps) {
  const { user, membership, status, error } = useProfile(userId, spaceId)
  if (user === undefined) return <p className="menu-note">{error ?? t('Loading…')}</p>
  const isGone = user.deleted_at !== null
  const alias = personName(user)
  const nickname = membership.state === 'member' ? membership.member.nickname : null
  return (
    <>
      <ProfileFace
        user={user}
        nickname={nickname}
        status={status}
        heading={(name) => (
          <Popover.Title className="profile-name" dir="auto">
            {name}
          </Popover.Title>
        )}
      />
      {spaceId !== null && (
        <ProfileMembership spaceId={spaceId} membership={membership} user={user} onTask={onTask} />
      )}
      <p className="profile-facts">
        <Facts membership={membership} spaceId={spaceId} since={user.created_at} />
      </p>
      {!isGone && (
        <>
          <RelationActions
            user={user}
            onEnd={(how) => onTask({ kind: 'end', person: { how, userId, name: alias, isBot: user.is_bot } })}
            onReport={() => onTask({ kind: 'report', user })}
          />
          <Button look="text" onClick={() => onTask({ kind: 'profile', userId })}>
            <UserRound aria-hidden="true" /> {t('View full profile')}
          </Button>
        </>
      )}
    </>
  )
}

interface FactsProps {
  membership: Membership
  spaceId: string | null
  since: string
}

function Facts({ membership, spaceId, since }: FactsProps) {
  const spaceName = useAppState((state) => (spaceId === null ? '' : (state.spaces[spaceId]?.name ?? '')))
  if (membership.state === 'unknown') return t('On Foyer since {date}', { date: formatDate(since) })
  if (membership.state === 'gone') return t('No longer a member of {space}', { space: spaceName })
  return t('In {space} since {date}', { space: spaceName, date: formatDate(membership.member.joined_at) })
}
