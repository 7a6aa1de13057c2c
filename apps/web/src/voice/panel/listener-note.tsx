import { Permission } from '@foyer/protocol/permissions'
import { HeadphoneOff, type LucideIcon, MicOff } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { useRoomPermissions } from '#src/permissions/use-permissions.ts'
import { useAppState } from '#src/session/context.ts'
import { voicesIn } from '#src/store/voice-states.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { isTrouble, microphoneWords } from '../devices/microphone-words.ts'
import { voiceChannelId } from '../phases.ts'
import { useVoice, useVoiceControl } from '../use-voice.ts'
import './listener-note.css'

/** Explains why the user cannot speak or listen. Shows nothing if they only muted or deafened themselves. */
export function ListenerNote() {
  const voice = useVoiceControl()
  const reason = useReason()
  const isClosed = useVoice(({ microphone }) => microphone === 'closed' || isTrouble(microphone))
  if (reason === null) return null
  return (
    <div className="listener-note" role="status">
      <reason.Icon aria-hidden="true" />
      <p>
        {reason.text}{' '}
        {reason.action !== null && isClosed && (
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
  readonly Icon: LucideIcon
  /** Label of the button that helps; null if nothing does. */
  readonly action: string | null
}

function useReason(): Reason | null {
  const roomId = useVoice(({ status }) => status.place?.room_id ?? null)
  const id = useVoice(({ status }) => voiceChannelId(status)) ?? ''
  const microphone = useVoice((view) => view.microphone)
  const rights = useRoomPermissions(roomId ?? '')
  const maySpeak = roomId === null || rights.may(Permission.SpeakInVoice)
  const own = useAppState((state) => voicesIn(state, id).find(({ user_id }) => user_id === state.me?.id))
  if (own?.deaf)
    return {
      text: t('You’ve been deafened by a moderator.'),
      Icon: HeadphoneOff,
      action: null,
    }
  if (!maySpeak) return silent(t('You can listen in this room, but not speak.'))
  if (own?.mute) return silent(t('You’ve been muted by a moderator.'))
  if (isTrouble(microphone)) return silent(microphoneWords[microphone], t('Try again'))
  if (microphone === 'closed') return silent(t('You’re only listening.'), t('Use microphone'))
  return null
}

function silent(text: string, action: string | null = null): Reason {
  return { text, Icon: MicOff, action }
}
