import type { Conversation } from '@foyer/protocol/conversations'
import { Crown } from 'lucide-react'
import { ProfileButton, ProfileCards } from '#src/friends/profiles/profile-cards.tsx'
import { t } from '#src/language/texts.ts'
import '#src/members/list/member-list.css'
import { Avatar } from '#src/presence/avatar.tsx'
import { PresenceWords } from '#src/presence/presence-mark.tsx'
import { useAppState } from '#src/session/context.ts'
import { personName } from '#src/store/users.ts'
import { BotBadge } from '#src/ui/marks/bot-badge.tsx'

/** Members of a group. */
export function ConversationPeople({ conversation }: { conversation: Conversation }) {
  const users = useAppState((state) => state.users)
  const people = conversation.recipients.map((user) => users[user.id] ?? user)
  return (
    <aside className="member-list" aria-label={t('People')}>
      <h2 className="room-category">{t('People — {count}', { count: people.length })}</h2>
      <ProfileCards spaceId={null} side="inline-start">
        <ul>
          {people.map((user) => (
            <li key={user.id}>
              <ProfileButton userId={user.id} className="member">
                <Avatar id={user.id} name={personName(user)} size="sm" hasPresence />
                <span className="member-names">
                  <span className="member-name" title={`@${user.username}`}>
                    <bdi>{personName(user)}</bdi>
                    <PresenceWords userId={user.id} />
                    {user.is_bot && <BotBadge />}
                    {user.id === conversation.owner_id && (
                      <>
                        <Crown aria-hidden="true" />
                        <span className="visually-hidden">{`, ${t('owner')}`}</span>
                      </>
                    )}
                  </span>
                  {user.custom !== '' && <span className="member-status">{user.custom}</span>}
                </span>
              </ProfileButton>
            </li>
          ))}
        </ul>
      </ProfileCards>
    </aside>
  )
}
