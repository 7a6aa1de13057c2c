import type { Mutual } from '@foyer/protocol/users'
import type { Client } from '@foyer/sdk/client'
import type { CallOptions } from '@foyer/sdk/rest'
import { useCallback } from 'react'
import { Link } from 'wouter'
import { counted, t } from '#src/language/texts.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { useAppState } from '#src/session/context.ts'
import { useAnswer } from '#src/session/use-answer.ts'
import { personName } from '#src/store/users.ts'

interface MutualListsProps {
  userId: string
  onPerson: (userId: string) => void
  /** Called when the user opens one of the spaces. */
  onLeave: () => void
}

/** Spaces and friends that the signed-in user shares with another user. */
export function MutualLists({ userId, onPerson, onLeave }: MutualListsProps) {
  const ask = useCallback(
    (client: Client, options: CallOptions) => client.users.mutual(userId, options),
    [userId],
  )
  const { answer, again } = useAnswer(ask)
  if (answer.state === 'loading') return <Bones />
  if (answer.state === 'failed')
    return (
      <p role="alert" className="form-error">
        {answer.message}{' '}
        <button type="button" className="button button-text" onClick={again}>
          {t('Try again')}
        </button>
      </p>
    )
  return <Lists mutual={answer.value} onPerson={onPerson} onLeave={onLeave} />
}

interface ListsProps extends Omit<MutualListsProps, 'userId'> {
  mutual: Mutual
}

function Lists({ mutual, onPerson, onLeave }: ListsProps) {
  const known = useAppState((state) => state.spaces)
  const spaces = mutual.spaces.flatMap(({ id, nickname }) => {
    const space = known[id]
    return space === undefined ? [] : [{ id, nickname, name: space.name }]
  })
  return (
    <>
      <section>
        <h3 className="profile-section">
          {counted(spaces.length, '{count} mutual space', '{count} mutual spaces')}
        </h3>
        {spaces.length > 0 && (
          <ul className="mutual-list">
            {spaces.map(({ id, nickname, name }) => (
              <li key={id}>
                <Link href={`/spaces/${id}`} className="mutual-entry" onClick={onLeave}>
                  <Avatar id={id} name={name} size="sm" />
                  <span className="mutual-names">
                    <bdi>{name}</bdi>
                    {nickname !== null && (
                      <span className="mutual-note" dir="auto">
                        {t('as {nickname}', { nickname })}
                      </span>
                    )}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </section>
      <section>
        <h3 className="profile-section">
          {counted(mutual.friends.length, '{count} mutual friend', '{count} mutual friends')}
        </h3>
        {mutual.friends.length > 0 && (
          <ul className="mutual-list">
            {mutual.friends.map((friend) => (
              <li key={friend.id}>
                <button type="button" className="mutual-entry" onClick={() => onPerson(friend.id)}>
                  <Avatar
                    id={friend.id}
                    name={personName(friend)}
                    size="sm"
                    picture={friend.avatar}
                    hasPresence
                  />
                  <span className="mutual-names">
                    <bdi>{personName(friend)}</bdi>
                    <span className="mutual-note">@{friend.username}</span>
                  </span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  )
}

/** Placeholder while loading. */
function Bones() {
  return (
    <div className="mutual-bones" role="status">
      <span className="visually-hidden">{t('Loading…')}</span>
      {[0, 1, 2].map((row) => (
        <span key={row} className="mutual-bone" />
      ))}
    </div>
  )
}
