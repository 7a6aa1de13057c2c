import type { Room } from '@foyer/protocol/rooms'
import type { VoiceState } from '@foyer/protocol/voice'
import { t } from '#src/language/texts.ts'
import { roomName } from '#src/rooms/names/room-name.ts'
import { useAppState } from '#src/session/context.ts'
import { voicesIn } from '#src/store/voice-states.ts'
import { PersonCard } from './person-card.tsx'
import { useVoiceNames } from './use-voice-names.ts'
import { VoiceFace } from './voice-face.tsx'
import { VoiceMarks } from './voice-marks.tsx'
import './voice-people.css'

/** Users in a voice room, listed below the room in the room list. */
export function VoicePeople({ room }: { room: Room }) {
  const voices = useAppState((state) => voicesIn(state, room.id))
  return voices.length === 0 ? null : <People room={room} voices={voices} />
}

function People({ room, voices }: { room: Room; voices: readonly VoiceState[] }) {
  const nameOf = useVoiceNames(room.space_id, voices)
  return (
    <ul className="voice-people" aria-label={t('In {room}', { room: roomName(room) })}>
      {voices.map((voice) => (
        <li key={voice.user_id}>
          <Person voice={voice} name={nameOf(voice.user_id)} />
        </li>
      ))}
    </ul>
  )
}

function Person({ voice, name }: { voice: VoiceState; name: string }) {
  return (
    <PersonCard voice={voice} name={name} className="voice-person" side="inline-end">
      <VoiceFace userId={voice.user_id} name={name} size="xs" />
      <span className="voice-person-name" dir="auto">
        {name}
      </span>
      <VoiceMarks voice={voice} />
    </PersonCard>
  )
}
