import { type Message, MessageType } from '@foyer/protocol/messages'
import { DoorOpen, Globe, type LucideIcon, Pin } from 'lucide-react'
import { useChannel } from '#src/channels/channel-context.ts'
import { RichText } from '#src/language/rich-text.tsx'
import { t } from '#src/language/texts.ts'
import { useRowPart } from '#src/ui/focus/row-focus.ts'
import { CallIcon } from '#src/voice/calls/call-icon.tsx'
import { CallText } from './call-text.tsx'
import { systemTextOf } from './message-words.ts'
import { webNoticeText } from './web-notice-text.ts'

const icons: Readonly<Record<number, LucideIcon>> = {
  [MessageType.MemberJoined]: DoorOpen,
  [MessageType.WebNotice]: Globe,
}

export function SystemIcon({ message: { call, type } }: { message: Message }) {
  const Icon = icons[type] ?? Pin
  if (call !== null) return <CallIcon call={call} className="system-icon" />
  return <Icon className="system-icon" aria-hidden="true" />
}

/** The text of a system message after its author's name, with the links that some have. */
export function SystemWords({ message }: { message: Message }) {
  const pinnedId = message.reference?.message_id ?? null
  if (message.call !== null) return <CallText call={message.call} callerId={message.author.id} />
  if (message.type === MessageType.WebNotice) return webNoticeText(message.content)
  if (message.type !== MessageType.PinNotice || pinnedId === null) return systemTextOf(message)
  return <PinnedLink id={pinnedId} />
}

function PinnedLink({ id }: { id: string }) {
  const { jumpTo } = useChannel()
  const tabIndex = useRowPart()
  return (
    <RichText
      text={t('pinned <link>a message</link>.')}
      tags={{
        link: (inside) => (
          <button type="button" className="system-link" tabIndex={tabIndex} onClick={() => jumpTo(id)}>
            {inside}
          </button>
        ),
      }}
    />
  )
}
