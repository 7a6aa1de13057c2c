import type { User } from '@foyer/protocol/users'
import { Ban, Check, MessageCircle, UserMinus, UserPlus, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useOpenDirect } from '#src/conversations/use-open-direct.ts'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/button.tsx'
import { useAction } from '#src/ui/use-action.ts'
import type { Ending } from './end-friendship.tsx'
import { useRelation } from './relation.ts'
import { friendWords } from './words.ts'

interface RelationActionsProps {
  user: User
  /** Asks first: what ends a friendship comes out of the card. */
  onEnd: (how: Ending) => void
  /** What else can be done, beside the message. */
  children?: ReactNode
}

/** What the signed-in user can do about what is, or is not, between them and somebody. */
export function RelationActions({ user, onEnd, children }: RelationActionsProps) {
  const { friends } = useSession().client
  const relation = useRelation(user.id)
  const action = useAction(friendWords)
  const direct = useOpenDirect()
  if (relation.kind === 'self') return null
  const message = relation.kind !== 'blocked' && (
    <Button
      look={relation.kind === 'friend' || user.is_bot ? 'primary' : 'quiet'}
      pending={direct.pending}
      onClick={() => direct.open(user.id)}
    >
      <MessageCircle aria-hidden="true" /> {t('Message')}
    </Button>
  )
  // A bot asks nobody for friendship, and what it says in a room is for all who are there.
  if (user.is_bot && relation.kind === 'none')
    return (
      <div className="profile-actions">
        {message}
        <Refusal error={direct.error} />
      </div>
    )
  return (
    <div className="profile-actions">
      {message}
      {children}
      {relation.kind === 'none' && (
        <Button
          look="primary"
          pending={action.pending}
          onClick={() => action.run(() => friends.sendRequest(user.id))}
        >
          <UserPlus aria-hidden="true" /> {t('Add friend')}
        </Button>
      )}
      {relation.kind === 'received' && (
        <>
          <Button
            look="primary"
            pending={action.pending}
            onClick={() => action.run(() => friends.acceptRequest(relation.requestId))}
          >
            <Check aria-hidden="true" /> {t('Accept friend request')}
          </Button>
          <Button
            pending={action.pending}
            onClick={() => action.run(() => friends.deleteRequest(relation.requestId))}
          >
            <X aria-hidden="true" /> {t('Reject')}
          </Button>
        </>
      )}
      {relation.kind === 'sent' && (
        <Button
          pending={action.pending}
          onClick={() => action.run(() => friends.deleteRequest(relation.requestId))}
        >
          <X aria-hidden="true" /> {t('Cancel friend request')}
        </Button>
      )}
      {relation.kind === 'friend' && (
        <Button onClick={() => onEnd('remove')}>
          <UserMinus aria-hidden="true" /> {t('Remove friend')}
        </Button>
      )}
      {relation.kind === 'blocked' ? (
        <Button pending={action.pending} onClick={() => action.run(() => friends.unblock(user.id))}>
          {t('Unblock')}
        </Button>
      ) : (
        <Button onClick={() => onEnd('block')}>
          <Ban aria-hidden="true" /> {t('Block')}
        </Button>
      )}
      <Refusal error={action.error ?? direct.error} />
    </div>
  )
}

function Refusal({ error }: { error: string | null }) {
  if (error === null) return null
  return (
    <p role="alert" className="form-error">
      {error}
    </p>
  )
}
