import type { Friend } from '@foyer/protocol/friends'
import { EllipsisVertical, MessageCircle, UserPlus, UsersRound } from 'lucide-react'
import { useMemo } from 'react'
import { useOpenDirect } from '#src/conversations/use-open-direct.ts'
import { t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { EmptyNote } from '#src/ui/loading/empty-note.tsx'
import { PersonRow } from './person-row.tsx'
import { usePersonMenu } from './profiles/profile-cards.tsx'

/** Friends, sorted by name. */
export function FriendList({ onAdd }: { onAdd: () => void }) {
  const friends = useAppState((state) => state.friends)
  const users = useAppState((state) => state.users)
  const sorted = useMemo(() => {
    const nameOf = ({ user }: Friend) => (users[user.id] ?? user).alias ?? (users[user.id] ?? user).username
    return Object.values(friends).sort((a, b) => nameOf(a).localeCompare(nameOf(b)))
  }, [friends, users])
  const direct = useOpenDirect()
  if (sorted.length === 0) {
    return (
      <EmptyNote
        icon={<UsersRound />}
        title={t('No friends yet')}
        action={
          <Button look="primary" onClick={onAdd}>
            <UserPlus aria-hidden="true" /> {t('Add a friend')}
          </Button>
        }
      >
        {t(
          'Your friends appear here. Enter a username above to send a request, or click a name in one of your spaces.',
        )}
      </EmptyNote>
    )
  }
  return (
    <>
      <ul className="people">
        {sorted.map(({ user }) => (
          <PersonRow key={user.id} person={user} note={(users[user.id] ?? user).custom}>
            {(name) => (
              <>
                <IconButton
                  label={t('Message {name}', { name })}
                  icon={<MessageCircle />}
                  onClick={() => direct.open(user.id)}
                />
                <MoreAbout userId={user.id} name={name} />
              </>
            )}
          </PersonRow>
        ))}
      </ul>
      {direct.error !== null && (
        <p role="alert" className="form-error">
          {direct.error}
        </p>
      )}
    </>
  )
}

function MoreAbout({ userId, name }: { userId: string; name: string }) {
  return (
    <IconButton
      {...usePersonMenu(userId)}
      label={t('More options for {name}', { name })}
      icon={<EllipsisVertical />}
    />
  )
}
