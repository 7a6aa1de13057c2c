import type { Member } from '@foyer/protocol/members'
import { MessageFlag } from '@foyer/protocol/messages'
import type { User } from '@foyer/protocol/users'
import { BellOff, Pin } from 'lucide-react'
import type { ReactNode } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { ProfileButton } from '#src/friends/profiles/profile-cards.tsx'
import { t } from '#src/language/texts.ts'
import { avatarIdOfWebhook } from '#src/members/author-name.ts'
import { useNameColors } from '#src/mentions/use-name-colors.ts'
import { Avatar } from '#src/presence/avatar.tsx'
import { ColoredName } from '#src/roles/colored-name.tsx'
import { BotBadge } from '#src/ui/marks/bot-badge.tsx'
import { formatClock, formatFull, formatShortClock } from '#src/ui/time/time.ts'

interface BylineProps {
  author: Pick<User, 'id' | 'is_bot'> & Partial<Pick<User, 'avatar'>>
  member?: Member | null
  name: string
  time: string
  grouped: boolean
  /** True for a message of a webhook, whose author is not an account. */
  isWebhook?: boolean
  isPinned?: boolean
  flags?: number
}

/** Author and time of a message. Grouped messages only show the time, on hover. */
export function Byline(props: BylineProps) {
  const { author, member = null, name, time, grouped, isWebhook = false, isPinned = false, flags = 0 } = props
  const { spaceId } = useChannel()
  const colors = useNameColors(spaceId, author.id, member)
  const clock = (
    <time className="message-time" dateTime={time} title={formatFull(time)}>
      {grouped ? formatShortClock(time) : formatClock(time)}
    </time>
  )
  if (grouped) return <div className="message-gutter">{clock}</div>
  const avatarId = isWebhook ? avatarIdOfWebhook(name) : author.id
  const picture = <Avatar id={avatarId} name={name} picture={author.avatar ?? null} />
  return (
    <>
      <div className="message-gutter">
        <Who id={author.id} isWebhook={isWebhook} className="message-avatar" isSpare>
          {picture}
        </Who>
      </div>
      <div className="message-byline">
        {/* Not a Tab stop: Tab moves between messages, and the member list opens the same profile card. */}
        <Who id={author.id} isWebhook={isWebhook} className="message-author">
          <ColoredName colors={colors}>{name}</ColoredName>
        </Who>
        {isWebhook ? <span className="bot-badge">{t('Webhook')}</span> : author.is_bot && <BotBadge />}
        {clock}
        <Marks isPinned={isPinned} flags={flags} />
      </div>
    </>
  )
}

interface WhoProps {
  id: string
  isWebhook: boolean
  className: string
  isSpare?: boolean
  children: ReactNode
}

function Who({ id, isWebhook, className, isSpare = false, children }: WhoProps) {
  if (isWebhook) return <span className={className}>{children}</span>
  return (
    <ProfileButton userId={id} className={className} isTabStop={false} isSpare={isSpare}>
      {children}
    </ProfileButton>
  )
}

/** Marks of a message: pinned, sent silently. */
export function Marks({ isPinned, flags }: { isPinned: boolean; flags: number }) {
  return (
    <>
      {(flags & MessageFlag.SuppressNotifications) !== 0 && (
        <span className="message-mark" role="img" aria-label={t('Sent silently')} title={t('Sent silently')}>
          <BellOff aria-hidden="true" />
        </span>
      )}
      {isPinned && (
        <span className="message-mark" role="img" aria-label={t('Pinned')} title={t('Pinned')}>
          <Pin aria-hidden="true" />
        </span>
      )}
    </>
  )
}
