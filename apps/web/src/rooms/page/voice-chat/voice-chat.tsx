import type { Room } from '@foyer/protocol/rooms'
import { ArrowLeft } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { ChannelPane } from '#src/channels/pane/channel-pane.tsx'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { isTouch } from '#src/ui/is-touch.ts'
import { LeaveButton, MuteButton } from '#src/voice/panel/voice-buttons.tsx'
import { roomName } from '../../names/room-name.ts'
import { RoomBeginning } from '../room-beginning.tsx'
import { RoomDenied } from '../room-denied.tsx'
import { useRoomChannel } from '../use-room-channel.ts'
import './voice-chat.css'

interface VoiceChatProps {
  room: Room
  messageId: string | undefined
  /** True if the user is in voice in this room. */
  isIn: boolean
  onBack: () => void
}

/** The chat of a voice room, next to the voice tiles or, in narrow windows, instead of them. */
export function VoiceChat({ room, messageId, isIn, onBack }: VoiceChatProps) {
  const channel = useRoomChannel(room)
  return (
    <section className="page voice-chat" aria-label={t('{room} chat', { room: roomName(room) })}>
      <div className="voice-chat-bar">
        <BackButton onClick={onBack} />
        {isIn && (
          <>
            <MuteButton />
            <LeaveButton />
          </>
        )}
      </div>
      <ChannelPane
        channel={channel}
        beginning={
          <RoomBeginning
            room={room}
            title={t('This is the beginning of the {room} chat', { room: roomName(room) })}
          />
        }
        denied={<RoomDenied room={room} />}
        messageId={messageId}
      />
    </section>
  )
}

function BackButton({ onClick }: { onClick: () => void }) {
  const button = useRef<HTMLButtonElement>(null)

  useEffect(() => {
    // Without touch, the composer takes the focus. On touch screens that would open the keyboard.
    if (isTouch()) button.current?.focus({ preventScroll: true })
  }, [])

  return (
    <Button ref={button} look="text" onClick={onClick}>
      <ArrowLeft aria-hidden="true" /> {t('Back to voice')}
    </Button>
  )
}
