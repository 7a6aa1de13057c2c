import type { User } from '@foyer/protocol/users'
import { t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { personName } from '#src/store/users.ts'
import { Modal } from '#src/ui/dialogs/modal.tsx'
import { formatDate } from '#src/ui/time/time.ts'
import './full-profile.css'
import { MutualLists } from './mutual-lists.tsx'
import { ProfileFace } from './profile-face.tsx'
import { ProfileMembership } from './profile-membership.tsx'
import type { ProfileTask } from './profile-task.ts'
import { useRelation } from './relation.ts'
import { RelationActions } from './relation-actions.tsx'
import { type Profile, useProfile } from './use-profile.ts'

interface FullProfileProps {
  userId: string
  spaceId: string | null
  onTask: (task: ProfileTask) => void
  onClose: () => void
}

/** Dialog with a user's whole profile. */
export function FullProfile({ userId, spaceId, onTask, onClose }: FullProfileProps) {
  const profile = useProfile(userId, spaceId)
  const { user, error } = profile
  return (
    <Modal
      open
      onOpenChange={onClose}
      title={user === undefined ? t('Profile') : t('{name}’s profile', { name: personName(user) })}
    >
      {user === undefined ? (
        <p className="menu-note">{error ?? t('Loading…')}</p>
      ) : (
        <Shown user={user} profile={profile} spaceId={spaceId} onTask={onTask} onClose={onClose} />
      )}
    </Modal>
  )
}

interface ShownProps extends Omit<FullProfileProps, 'userId'> {
  user: User
  profile: Profile
}

function Shown({ user, profile, spaceId, onTask, onClose }: ShownProps) {
  const isMe = useAppState((state) => state.me?.id === user.id)
  const { membership, status } = profile
  const member = membership.state === 'member' ? membership.member : null
  const name = personName(user)
  return (
    <div className="full-profile">
      <ProfileFace
        user={user}
        nickname={member?.nickname ?? null}
        status={status}
        heading={(shown) =>
          // The dialog's title has the display name.
          shown !== name && (
            <p className="profile-name" dir="auto">
              {shown}
            </p>
          )
        }
      />
      {spaceId !== null && (
        <ProfileMembership spaceId={spaceId} membership={membership} user={user} onTask={onTask} />
      )}
      <Dates user={user} joinedAt={member?.joined_at ?? null} spaceId={spaceId} />
      {!isMe && user.deleted_at === null && (
        <>
          <RelationActions
            user={user}
            onEnd={(how) =>
              onTask({ kind: 'end', person: { how, userId: user.id, name, isBot: user.is_bot } })
            }
            onReport={() => onTask({ kind: 'report', user })}
            onDone={(name) => (name === 'message' || name === 'call') && onClose()}
          />
          <MutualLists
            userId={user.id}
            onPerson={(userId) => onTask({ kind: 'profile', userId })}
            onLeave={onClose}
          />
        </>
      )}
    </div>
  )
}

interface DatesProps {
  user: User
  joinedAt: string | null
  spaceId: string | null
}

function Dates({ user, joinedAt, spaceId }: DatesProps) {
  const spaceName = useAppState((state) => state.spaces[spaceId ?? '']?.name ?? '')
  const relation = useRelation(user.id)
  const dates = [
    [t('On Foyer since'), user.created_at],
    ...(joinedAt === null ? [] : [[t('In {space} since', { space: spaceName }), joinedAt] as const]),
    ...(relation.kind === 'friend' ? [[t('Friends since'), relation.since] as const] : []),
  ] as const
  return (
    <dl className="profile-dates">
      {dates.map(([words, at]) => (
        <div key={words}>
          <dt dir="auto">{words}</dt>
          <dd>{formatDate(at)}</dd>
        </div>
      ))}
    </dl>
  )
}
