import { Permission } from '@foyer/protocol/permissions'
import { MicOff } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { mayInRoom } from '#src/permissions/rights.ts'
import { useAppState } from '#src/session/context.ts'
import { voicesIn } from '#src/store/voice-states.ts'
import { Button } from '#src/ui/button.tsx'
import { isTrouble, microphoneWords } from './microphone-words.ts'
import { placeId } from './phases.ts'
import { useVoice, useVoiceControl } from './use-voice.ts'
import './listener-note.css'

/** Why nobody hears one, where that is not by one's own choice. */
export function ListenerNote() {
  const voice = useVoiceControl()
  const reason = useReason()
  const isClosed = useVoice(({ microphone }) => microphone === 'closed' || isTrouble(microphone))
  if (reason === null) return null
  return (
    <div className="listener-note" role="status">
      <MicOff aria-hidden="true" />
      <p>
        {reason.text}{' '}
        {reason.mayTry && isClosed && (
          <Button look="text" onClick={() => void voice.openMicrophone()}>
            {reason.action}
          </Button>
        )}
      </p>
    </div>
  )
}

interface Reason {
  readonly text: string
  readonly mayTry: boolean
  readonly action: string
}

function useReason(): Reason | null {
  const roomId = useVoice(({ status }) => status.place?.room_id ?? null)
  const id = useVoice(({ status }) => placeId(status)) ?? ''
  const microphone = useVoice((view) => view.microphone)
  const maySpeak = useAppState(
    (state) => roomId === null || mayInRoom(state, roomId, Permission.SpeakInVoice),
  )
  const isMuted = useAppState((state) =>
    voicesIn(state, id).some(({ user_id, mute, deaf }) => user_id === state.me?.id && (mute || deaf)),
  )
  if (!maySpeak) return { text: t('You may listen in this room, but not speak.'), mayTry: false, action: '' }
  if (isMuted) return { text: t('Nobody hears you: the space has muted you.'), mayTry: false, action: '' }
  if (isTrouble(microphone))
    return { text: microphoneWords[microphone], mayTry: true, action: t('Try again') }
  if (microphone === 'closed')
    return { text: t('You are listening only.'), mayTry: true, action: t('Use the microphone') }
  return null
}
