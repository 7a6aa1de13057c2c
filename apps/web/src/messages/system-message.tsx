import { type Message, MessageType } from '@foyer/protocol/messages'
import { DoorOpen, type LucideIcon, Phone, Pin } from 'lucide-react'
import { useChannel } from '#src/channels/channel-context.ts'
import { ProfileButton } from '#src/friends/profile-cards.tsx'
import { formatClock, formatFull } from '#src/ui/time.ts'
import { useRowPart } from './row-focus.ts'
import './system-message.css'
import { deedOf } from './words.ts'

const icons: Readonly<Record<number, LucideIcon>> = {
  [MessageType.PinNotice]: Pin,
  [MessageType.MemberJoined]: DoorOpen,
  [MessageType.Call]: Phone,
}

/** Whether nobody wrote it. */
export function isSystem(message: Pick<Message, 'type'>): boolean {
  return deedOf(message) !== undefined
}

/** What was done, by whom. */
export function SystemMessage({ message, name }: { message: Message; name: string }) {
  const Icon = icons[message.type] ?? Pin
  return (
    <>
      <div className="message-gutter">
        <Icon className="system-icon" aria-hidden="true" />
      </div>
      <p className="system-text">
        <ProfileButton userId={message.author.id} className="system-name" isTabStop={false}>
          {name}
        </ProfileButton>{' '}
        <Deed message={message} />{' '}
        <time className="message-time" dateTime={message.created_at} title={formatFull(message.created_at)}>
          {formatClock(message.created_at)}
        </time>
      </p>
    </>
  )
}

function Deed({ message }: { message: Message }) {
  const { jumpTo } = useChannel()
  const tabIndex = useRowPart()
  const pinnedId = message.reference?.message_id
  if (message.type !== MessageType.PinNotice || pinnedId === undefined) return deedOf(message)
  return (
    <>
      pinned{' '}
      <button type="button" className="system-link" tabIndex={tabIndex} onClick={() => jumpTo(pinnedId)}>
        a message
      </button>
      .
    </>
  )
}
