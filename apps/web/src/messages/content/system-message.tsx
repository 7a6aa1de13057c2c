import { type Message, MessageType } from '@foyer/protocol/messages'
import { DoorOpen, type LucideIcon, Pin } from 'lucide-react'
import { Suspense } from 'react'
import { useChannel } from '#src/channels/channel-context.ts'
import { ProfileButton } from '#src/friends/profiles/profile-cards.tsx'
import { RichText } from '#src/language/rich-text.tsx'
import { t } from '#src/language/texts.ts'
import { useRowPart } from '#src/ui/focus/row-focus.ts'
import { lazyComponent } from '#src/ui/loading/lazy.tsx'
import { formatClock, formatFull } from '#src/ui/time/time.ts'
import './system-message.css'
import { systemTextOf } from './message-words.ts'

// Loaded lazily, because only conversations have calls.
const CallIcon = lazyComponent(
  () => import('#src/voice/calls/call-icon.tsx').then((module) => module.CallIcon),
  () => null,
)
const CallText = lazyComponent(
  () => import('./call-text.tsx').then((module) => module.CallText),
  () => t('started a call.'),
)

const icons: Readonly<Record<number, LucideIcon>> = {
  [MessageType.PinNotice]: Pin,
  [MessageType.MemberJoined]: DoorOpen,
}

/** Returns true if no user wrote the message. */
export function isSystem(message: Pick<Message, 'type'>): boolean {
  return systemTextOf(message) !== undefined
}

/** A system message: a user and their action. */
export function SystemMessage({ message, name }: { message: Message; name: string }) {
  const Icon = icons[message.type] ?? Pin
  return (
    <>
      <div className="message-gutter">
        {message.call === null ? (
          <Icon className="system-icon" aria-hidden="true" />
        ) : (
          <Suspense>
            <CallIcon call={message.call} className="system-icon" />
          </Suspense>
        )}
      </div>
      <p className="system-text">
        <ProfileButton userId={message.author.id} className="system-name" isTabStop={false}>
          {name}
        </ProfileButton>{' '}
        <SystemText message={message} />{' '}
        <time className="message-time" dateTime={message.created_at} title={formatFull(message.created_at)}>
          {formatClock(message.created_at)}
        </time>
      </p>
    </>
  )
}

function SystemText({ message }: { message: Message }) {
  const { jumpTo } = useChannel()
  const tabIndex = useRowPart()
  const pinnedId = message.reference?.message_id ?? null
  if (message.call !== null)
    return (
      <Suspense fallback={systemTextOf(message)}>
        <CallText call={message.call} callerId={message.author.id} />
      </Suspense>
    )
  if (message.type !== MessageType.PinNotice || pinnedId === null) return systemTextOf(message)
  return (
    <RichText
      text={t('pinned <link>a message</link>.')}
      tags={{
        link: (inside) => (
          <button type="button" className="system-link" tabIndex={tabIndex} onClick={() => jumpTo(pinnedId)}>
            {inside}
          </button>
        ),
      }}
    />
  )
}
