import type { Conversation } from '@foyer/protocol/conversations'
import { MAX_GROUP_MEMBERS } from '@foyer/protocol/limits'
import type { User } from '@foyer/protocol/users'
import { Crown, UserMinus, UserPlus } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { useAppState, useSession } from '#src/session/context.ts'
import { personName } from '#src/store/users.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { Confirm } from '#src/ui/dialogs/confirm.tsx'
import { conversationWords } from '../words.ts'
import { AddPeople } from './add-people.tsx'

interface PendingConfirmation {
  readonly kind: 'hand-over' | 'remove'
  readonly user: User
}

/** Members of the group. Its owner can remove members and transfer the group. */
export function GroupMembers({ conversation }: { conversation: Conversation }) {
  const users = useAppState((state) => state.users)
  const isOwner = useAppState((state) => state.me?.id === conversation.owner_id)
  const list = useRef<HTMLUListElement>(null)
  const [adding, setAdding] = useState(false)
  const [confirming, setConfirming] = useState<PendingConfirmation | null>(null)
  const people = conversation.recipients.map((user) => users[user.id] ?? user)
  return (
    <>
      <div className="settings-line">
        <p>
          <strong>{t('{count} of {max} people', { count: people.length, max: MAX_GROUP_MEMBERS })}</strong>
          <span>{t('Anyone in the group can add people.')}</span>
        </p>
        {people.length < MAX_GROUP_MEMBERS && (
          <Button look="primary" onClick={() => setAdding(true)}>
            <UserPlus aria-hidden="true" /> {t('Add people')}
          </Button>
        )}
      </div>
      <ul ref={list} tabIndex={-1} className="settings-list" aria-label={t('People')}>
        {people.map((user) => (
          <li key={user.id} className="settings-row">
            <Person user={user} isOwner={user.id === conversation.owner_id} />
            {isOwner && user.id !== conversation.owner_id && (
              <span className="settings-actions">
                <IconButton
                  label={t('Transfer group to {name}', { name: personName(user) })}
                  icon={<Crown />}
                  onClick={() => setConfirming({ kind: 'hand-over', user })}
                />
                <IconButton
                  label={t('Remove {name}', { name: personName(user) })}
                  icon={<UserMinus />}
                  onClick={() => setConfirming({ kind: 'remove', user })}
                />
              </span>
            )}
          </li>
        ))}
      </ul>
      {adding && <AddPeople conversation={conversation} onClose={() => setAdding(false)} />}
      {confirming !== null && (
        <Question
          conversation={conversation}
          confirming={confirming}
          onClose={() => setConfirming(null)}
          focusAfter={list}
        />
      )}
    </>
  )
}

function Person({ user, isOwner }: { user: User; isOwner: boolean }) {
  const name = personName(user)
  return (
    <span className="settings-person">
      <Avatar id={user.id} name={name} picture={user.avatar} />
      <span className="settings-names">
        <span className="settings-name">
          {name}
          {isOwner && (
            <>
              <Crown aria-hidden="true" />
              <span className="visually-hidden">{`, ${t('owner')}`}</span>
            </>
          )}
        </span>
        <span className="settings-note">@{user.username}</span>
      </span>
    </span>
  )
}

interface QuestionProps {
  conversation: Conversation
  confirming: PendingConfirmation
  onClose: () => void
  focusAfter: RefObject<HTMLElement | null>
}

function Question({ conversation: { id }, confirming: { kind, user }, onClose, focusAfter }: QuestionProps) {
  const { client, store } = useSession()
  const name = personName(user)

  async function handOver() {
    store.adopt('CONVERSATION_UPDATE', await client.conversations.update(id, { owner_id: user.id }))
  }

  async function remove() {
    await client.conversations.removeMember(id, user.id)
    store.adopt('CONVERSATION_MEMBER_REMOVE', { conversation_id: id, user_id: user.id })
  }

  if (kind === 'remove')
    return (
      <Confirm
        open
        onOpenChange={onClose}
        title={t('Remove {name} from the group?', { name })}
        action={t('Remove')}
        run={remove}
        words={conversationWords}
        focusAfter={focusAfter}
      >
        <p>{t('They’ll lose access to this group. Any member can add them back.')}</p>
      </Confirm>
    )
  return (
    <Confirm
      open
      onOpenChange={onClose}
      title={t('Transfer this group to {name}?', { name })}
      action={t('Transfer group')}
      look="primary"
      run={handOver}
      words={conversationWords}
      focusAfter={focusAfter}
    >
      <p>{t('Only {name} can transfer it back to you.', { name })}</p>
    </Confirm>
  )
}
