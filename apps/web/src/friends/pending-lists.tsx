import type { FriendRequest } from '@foyer/protocol/friends'
import { Check, MailQuestionMark, X } from 'lucide-react'
import { type RefObject, useMemo } from 'react'
import { t } from '#src/language/texts.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { useFocusAfter } from '#src/ui/focus/use-focus-after.ts'
import { EmptyNote } from '#src/ui/loading/empty-note.tsx'
import { formatAgo } from '#src/ui/time/ago.ts'
import { pendingRequests } from './pending-requests.ts'
import { type Person, PersonRow } from './person-row.tsx'
import { friendWords } from './profiles/words.ts'

interface Ending {
  /** Receives the focus when the focused row is removed. */
  focusAfter: RefObject<HTMLElement | null>
}

interface RowProps extends Ending {
  request: FriendRequest
}

/** Pending friend requests: received ones first, then sent ones. */
export function PendingLists({ focusAfter }: Ending) {
  const requests = useAppState((state) => state.friendRequests)
  const received = useMemo(() => pendingRequests(requests, 'received'), [requests])
  const sent = useMemo(() => pendingRequests(requests, 'sent'), [requests])
  if (received.length + sent.length === 0) {
    return (
      <EmptyNote icon={<MailQuestionMark />} title={t('No pending requests')}>
        {t('Friend requests you send or receive appear here.')}
      </EmptyNote>
    )
  }
  return (
    <>
      {received.length > 0 && (
        <>
          <h2 className="people-heading">{t('Received — {count}', { count: received.length })}</h2>
          <ul className="people">
            {received.map((request) => (
              <ReceivedRow key={request.id} request={request} focusAfter={focusAfter} />
            ))}
          </ul>
        </>
      )}
      {sent.length > 0 && (
        <>
          <h2 className="people-heading">{t('Sent — {count}', { count: sent.length })}</h2>
          <ul className="people">
            {sent.map((request) => (
              <SentRow key={request.id} request={request} focusAfter={focusAfter} />
            ))}
          </ul>
        </>
      )}
    </>
  )
}

function ReceivedRow({ request, focusAfter }: RowProps) {
  const { friends } = useSession().client
  const action = useAction(friendWords)
  useFocusAfter(focusAfter)
  return (
    <PersonRow person={personOf(request)} note={formatAgo(request.created_at)} error={action.error}>
      {(name) => (
        <>
          <Button
            look="primary"
            aria-label={t('Accept request from {name}', { name })}
            pending={action.pending}
            onClick={() => action.run(() => friends.acceptRequest(request.id))}
          >
            <Check aria-hidden="true" /> <span className="action-word">{t('Accept')}</span>
          </Button>
          <Button
            aria-label={t('Decline request from {name}', { name })}
            pending={action.pending}
            onClick={() => action.run(() => friends.deleteRequest(request.id))}
          >
            <X aria-hidden="true" /> <span className="action-word">{t('Decline')}</span>
          </Button>
        </>
      )}
    </PersonRow>
  )
}

function SentRow({ request, focusAfter }: RowProps) {
  const { friends } = useSession().client
  const action = useAction(friendWords)
  useFocusAfter(focusAfter)
  return (
    <PersonRow person={personOf(request)} note={formatAgo(request.created_at)} error={action.error}>
      {(name) => (
        <Button
          aria-label={t('Cancel request to {name}', { name })}
          pending={action.pending}
          onClick={() => action.run(() => friends.deleteRequest(request.id))}
        >
          {t('Cancel')}
        </Button>
      )}
    </PersonRow>
  )
}

function personOf({ user_id, user_username, user_alias, user_avatar }: FriendRequest): Person {
  return { id: user_id, username: user_username, alias: user_alias, avatar: user_avatar }
}
