import type { PresenceStatus } from '@foyer/protocol/presence'
import { UserBadge } from '@foyer/protocol/user-flags'
import type { User } from '@foyer/protocol/users'
import { PartyPopper } from 'lucide-react'
import type { ReactNode } from 'react'
import { Banner } from '#src/images/banner.tsx'
import { t } from '#src/language/texts.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { presenceWords } from '#src/presence/words.ts'
import { useAppState } from '#src/session/context.ts'
import { statusText } from '#src/store/presences.ts'
import { personName } from '#src/store/users.ts'
import { BotBadge } from '#src/ui/marks/bot-badge.tsx'
import './profile-cards.css'

interface ProfileFaceProps {
  user: User
  /** Nickname in the current space, or null. */
  nickname: string | null
  /** Undefined if the server does not share the user's presence. */
  status: PresenceStatus | undefined
  /** Renders the name as a heading. */
  heading: (name: string) => ReactNode
}

/** Banner, avatar, names, badges and custom status of a user. */
export function ProfileFace({ user, nickname, status, heading }: ProfileFaceProps) {
  const customStatus = useAppState((state) => statusText(state, user))
  const alias = personName(user)
  const isGone = user.deleted_at !== null
  return (
    <>
      <Banner id={user.banner} className="profile-banner" />
      <div className="profile-head">
        <Avatar
          id={user.id}
          name={nickname ?? alias}
          size="lg"
          picture={user.avatar}
          hasPresence
          status={status}
        />
        {heading(nickname ?? alias)}
        {status !== undefined && <span className="visually-hidden">, {presenceWords[status]}</span>}
        {!isGone && <Handle user={user} alias={nickname === null ? null : alias} />}
        <Badges badges={user.badges} />
      </div>
      {customStatus !== '' && (
        <p className="profile-status" dir="auto">
          {customStatus}
        </p>
      )}
    </>
  )
}

/** The username, and before it the display name if the heading shows a nickname instead. */
function Handle({ user, alias }: { user: User; alias: string | null }) {
  return (
    <p className="profile-handle">
      {alias !== null && alias !== user.username && <bdi>{alias}</bdi>}
      {alias !== null && alias !== user.username && <span aria-hidden="true">·</span>}
      <bdi>@{user.username}</bdi>
      {user.is_bot && <BotBadge />}
    </p>
  )
}

const badges = [{ bit: UserBadge.Silly, Icon: PartyPopper, words: t('Silly') }]

function Badges({ badges: held }: { badges: number }) {
  const shown = badges.filter(({ bit }) => (held & bit) !== 0)
  if (shown.length === 0) return null
  return (
    <ul className="profile-badges" aria-label={t('Badges')}>
      {shown.map(({ bit, Icon, words }) => (
        <li key={bit} className="profile-badge">
          <Icon aria-hidden="true" /> {words}
        </li>
      ))}
    </ul>
  )
}
