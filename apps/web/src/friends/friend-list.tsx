import { Menu } from '@base-ui/react/menu'
import type { Friend } from '@foyer/protocol/friends'
import { Ban, EllipsisVertical, MessageCircle, UserMinus, UserPlus, UsersRound } from 'lucide-react'
import { type RefObject, useMemo, useState } from 'react'
import { useOpenDirect } from '#src/conversations/use-open-direct.ts'
import { t } from '#src/language/texts.ts'
import { useAppState } from '#src/session/context.ts'
import { Button } from '#src/ui/button.tsx'
import { IconButton } from '#src/ui/icon-button.tsx'
import '#src/ui/menu.css'
import { EmptyNote } from '#src/ui/empty-note.tsx'
import { type EndedPerson, EndFriendship, type Ending } from './end-friendship.tsx'
import { PersonRow } from './person-row.tsx'

interface FriendListProps {
  onAdd: () => void
  /** Where the focus goes when who had it is no friend any more. */
  focusAfter: RefObject<HTMLElement | null>
}

/** By name. */
export function FriendList({ onAdd, focusAfter }: FriendListProps) {
  const friends = useAppState((state) => state.friends)
  const users = useAppState((state) => state.users)
  const sorted = useMemo(() => {
    const nameOf = ({ user }: Friend) => (users[user.id] ?? user).alias ?? (users[user.id] ?? user).username
    return Object.values(friends).sort((a, b) => nameOf(a).localeCompare(nameOf(b)))
  }, [friends, users])
  const direct = useOpenDirect()
  const [ending, setEnding] = useState<EndedPerson | null>(null)
  if (sorted.length === 0) {
    return (
      <EmptyNote
        icon={<UsersRound />}
        title={t('No friends here yet')}
        action={
          <Button look="primary" onClick={onAdd}>
            <UserPlus aria-hidden="true" /> {t('Add a friend')}
          </Button>
        }
      >
        {t(
          'Send somebody a request above. You find people in the member list of your spaces too: click their name.',
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
                <FriendMenu name={name} onEnd={(how) => setEnding({ how, userId: user.id, name })} />
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
      <EndFriendship person={ending} onClose={() => setEnding(null)} focusAfter={focusAfter} />
    </>
  )
}

function FriendMenu({ name, onEnd }: { name: string; onEnd: (how: Ending) => void }) {
  return (
    <Menu.Root>
      <Menu.Trigger
        render={<IconButton label={t('More about {name}', { name })} icon={<EllipsisVertical />} />}
      />
      <Menu.Portal>
        <Menu.Positioner className="floating" sideOffset={4} align="end">
          <Menu.Popup className="menu">
            <Menu.Item className="menu-item menu-danger" onClick={() => onEnd('remove')}>
              <UserMinus aria-hidden="true" /> {t('Remove friend')}
            </Menu.Item>
            <Menu.Item className="menu-item menu-danger" onClick={() => onEnd('block')}>
              <Ban aria-hidden="true" /> {t('Block')}
            </Menu.Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
