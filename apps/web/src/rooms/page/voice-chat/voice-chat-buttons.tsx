import type { Room } from '@foyer/protocol/rooms'
import { MessageSquare } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { OpenChannel } from '#src/channels/channel-context.ts'
import { counted, t } from '#src/language/texts.ts'
import { PinsButton } from '#src/messages/pins/pins-button.tsx'
import { useAppState } from '#src/session/context.ts'
import { mentionCount, showsUnread } from '#src/store/selectors.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { Count } from '#src/ui/marks/count.tsx'
import { useVoiceChat } from '../../use-voice-chat.ts'
import './voice-chat-buttons.css'

interface VoiceChatButtonsProps {
  room: Room
  channel: OpenChannel
}

/** Buttons in the header of a voice room that open its chat and pinned messages. */
export function VoiceChatButtons({ room, channel }: VoiceChatButtonsProps) {
  const { isOpen, turn } = useVoiceChat(room.id)
  const isUnread = useAppState((state) => !isOpen && showsUnread(state, room.id))
  const mentions = useAppState((state) => (isUnread ? mentionCount(state, room.id) : 0))
  const button = useFocusWhenClosed(isOpen)
  const label = [
    isOpen ? t('Hide chat') : t('Show chat'),
    ...(isUnread ? [t('unread')] : []),
    ...(mentions > 0 ? [counted(mentions, '{count} mention', '{count} mentions')] : []),
  ].join(', ')
  return (
    <>
      {isOpen && <PinsButton channel={channel} />}
      <IconButton
        ref={button}
        label={label}
        icon={
          <>
            <MessageSquare />
            {mentions > 0 ? (
              <Count count={mentions} isCalling />
            ) : (
              isUnread && <span className="unread-dot" />
            )}
          </>
        }
        className="voice-chat-button"
        aria-pressed={isOpen}
        onClick={() => turn(!isOpen)}
      />
    </>
  )
}

/** Focuses the button when the chat closes with the focus inside. */
function useFocusWhenClosed(isOpen: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(isOpen)
  useEffect(() => {
    const isLost = wasOpen.current && !isOpen && document.activeElement === document.body
    if (isLost) button.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  return button
}
