import { type Room, RoomType } from '@foyer/protocol/rooms'
import type { UpdateMemberVoiceBody, VoiceState } from '@foyer/protocol/voice'
import { useMemo } from 'react'
import { t } from '#src/language/texts.ts'
import { roomName } from '#src/rooms/names/room-name.ts'
import { useAppState, useSession } from '#src/session/context.ts'
import { roomGroups } from '#src/store/selectors.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { SelectField } from '#src/ui/fields/select-field.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'

interface ModerationProps {
  voice: VoiceState
  spaceId: string
  /** True for administrators, who can also mute and deafen. */
  maySilence: boolean
}

/** Moderation of a member's voice. */
export function Moderation({ voice, spaceId, maySilence }: ModerationProps) {
  const { client } = useSession()
  const action = useAction()
  const others = useOtherVoiceRooms(spaceId, voice.room_id)
  const change = (body: UpdateMemberVoiceBody) =>
    action.run(() => client.members.updateVoice(spaceId, voice.user_id, body))
  return (
    <div className="moderation">
      <div className="moderation-buttons">
        {maySilence && (
          <>
            <Button pending={action.pending} onClick={() => change({ mute: !voice.mute })}>
              {voice.mute ? t('Unmute') : t('Server mute')}
            </Button>
            <Button pending={action.pending} onClick={() => change({ deaf: !voice.deaf })}>
              {voice.deaf ? t('Undeafen') : t('Deafen')}
            </Button>
          </>
        )}
        <Button pending={action.pending} onClick={() => change({ room_id: null })}>
          {t('Disconnect')}
        </Button>
      </div>
      {others.length > 0 && (
        <SelectField
          name="room"
          label={t('Move to')}
          value=""
          options={[['', t('Choose a room…')], ...others.map((room) => [room.id, roomName(room)] as const)]}
          onChange={(id) => id !== '' && change({ room_id: id })}
        />
      )}
      {action.error !== null && (
        <p role="alert" className="form-error">
          {action.error}
        </p>
      )}
    </div>
  )
}

function useOtherVoiceRooms(spaceId: string, roomId: string | null): readonly Room[] {
  const rooms = useAppState((state) => state.rooms)
  return useMemo(() => {
    const ofSpace = roomGroups(rooms, spaceId).flatMap((group) => group.rooms)
    return ofSpace.filter(({ id, type }) => type === RoomType.Voice && id !== roomId)
  }, [rooms, spaceId, roomId])
}
