import { Permission } from '@foyer/protocol/permissions'
import type { Room } from '@foyer/protocol/rooms'
import { Volume2 } from 'lucide-react'
import { useEffect, useLayoutEffect } from 'react'
import { t } from '#src/language/texts.ts'
import { useRoomPermissions } from '#src/permissions/use-permissions.ts'
import { useAppState } from '#src/session/context.ts'
import { voicesIn } from '#src/store/voice-states.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { VERY_WIDE } from '#src/ui/use-media-query.ts'
import { QuietNote } from '#src/voice/devices/late-quiet-note.tsx'
import { FailureNote } from '#src/voice/panel/failure-note.tsx'
import { ListenerNote } from '#src/voice/panel/listener-note.tsx'
import {
  DeafenButton,
  LeaveButton,
  MuteButton,
  VoiceSettingsButton,
} from '#src/voice/panel/voice-buttons.tsx'
import { VoiceGrid } from '#src/voice/people/voice-grid.tsx'
import { isInVoice, phaseWords } from '#src/voice/phases.ts'
import { useJoinRoom } from '#src/voice/use-join-room.ts'
import { useVoice } from '#src/voice/use-voice.ts'
import { CameraButton, ScreenButton } from '#src/voice/video/video-buttons.tsx'
import { VideoNote } from '#src/voice/video/video-note.tsx'
import { roomName } from '../../names/room-name.ts'
import { useVoiceChat } from '../../use-voice-chat.ts'
import { RoomDescription } from '../room-description.tsx'
import { VoiceChat } from './voice-chat.tsx'
import './voice-room.css'

interface VoiceRoomProps {
  room: Room
  /** Message to show in the room's chat, which opens for it. */
  messageId: string | undefined
}

/** The users in a voice room, a button to join or the voice controls, and the chat if it is open. */
export function VoiceRoom({ room, messageId }: VoiceRoomProps) {
  const chat = useShownChat(room.id, messageId)
  // Selects only the phase: the whole status changes whenever a user starts to speak.
  const phase = useVoice(({ status }) => status.phase)
  const isHere = useVoice(({ status }) => status.place?.room_id === room.id)
  const isIn = isHere && isInVoice({ phase })
  const voices = useAppState((state) => voicesIn(state, room.id))
  return (
    <div className="voice-room">
      <div className="voice-room-parts">
        <div className="voice-stage">
          {voices.length === 0 ? (
            <Empty room={room} />
          ) : (
            <VoiceGrid
              spaceId={room.space_id}
              voices={voices}
              label={t('In {room}', { room: roomName(room) })}
            />
          )}
          <footer className="voice-room-foot">
            {isHere && phase === 'failed' && <FailureNote hasWayIn />}
            {isIn && phase !== 'connected' && <p className="voice-room-phase">{phaseWords({ phase })}</p>}
            {isIn && <ListenerNote />}
            {isIn && <QuietNote />}
            {isIn && <VideoNote />}
            {isIn ? (
              <div className="voice-room-buttons">
                <MuteButton />
                <DeafenButton />
                <CameraButton />
                <ScreenButton />
                <VoiceSettingsButton />
                <LeaveButton />
              </div>
            ) : (
              <WayIn room={room} />
            )}
          </footer>
        </div>
        {chat.isShown && (
          <VoiceChat room={room} messageId={messageId} isIn={isIn} onBack={() => chat.turn(false)} />
        )}
      </div>
    </div>
  )
}

function useShownChat(roomId: string, messageId: string | undefined) {
  const { isOpen, turn } = useVoiceChat(roomId)

  // A layout effect, because it runs before the message id is removed from the URL.
  useLayoutEffect(() => {
    if (messageId !== undefined) turn(true)
  }, [messageId, turn])

  useEffect(
    () => () => {
      // In narrow windows, a room opens with its voice tiles again.
      if (!window.matchMedia(VERY_WIDE).matches) turn(false)
    },
    [turn],
  )

  return { isShown: isOpen || messageId !== undefined, turn }
}

function Empty({ room }: { room: Room }) {
  return (
    <div className="pane-note">
      <span className="list-top-icon">
        <Volume2 aria-hidden="true" />
      </span>
      <h2>
        <bdi>{roomName(room)}</bdi>
      </h2>
      {room.description ? <RoomDescription room={room} /> : <p>{t('No one is here yet.')}</p>}
    </div>
  )
}

function WayIn({ room }: { room: Room }) {
  const join = useJoinRoom()
  const rights = useRoomPermissions(room.id)
  if (!rights.may(Permission.JoinVoice))
    return (
      <p className="voice-room-phase">
        {t('You can see who’s here, but you don’t have permission to join.')}
      </p>
    )
  return (
    <>
      <Button look="primary" onClick={() => join(room.id)}>
        <Volume2 aria-hidden="true" /> {t('Join {name}', { name: roomName(room) })}
      </Button>
      {!rights.may(Permission.SpeakInVoice) && (
        <p className="voice-room-phase">{t('You can listen in this room, but not speak.')}</p>
      )}
    </>
  )
}
