import { HeadphoneOff, Headphones, Mic, MicOff, PhoneOff, Settings2 } from 'lucide-react'
import { useOpenSettings } from '#src/account/open-settings.tsx'
import { t } from '#src/language/texts.ts'
import { isApple } from '#src/shortcuts/is-apple.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { isSilent } from '../control/is-silent.ts'
import { useVoice, useVoiceControl } from '../use-voice.ts'
import './voice-buttons.css'

export function MuteButton() {
  const voice = useVoiceControl()
  const isMuted = useVoice(isSilent)
  return (
    <IconButton
      label={isMuted ? t('Unmute') : t('Mute')}
      icon={isMuted ? <MicOff /> : <Mic />}
      className="voice-button"
      aria-keyshortcuts={keysOf('M')}
      data-off={isMuted || undefined}
      onClick={() => voice.toggleMute()}
    />
  )
}

export function DeafenButton() {
  const voice = useVoiceControl()
  const isDeaf = useVoice(({ status }) => status.selfDeaf)
  return (
    <IconButton
      label={isDeaf ? t('Undeafen') : t('Deafen')}
      icon={isDeaf ? <HeadphoneOff /> : <Headphones />}
      className="voice-button"
      aria-keyshortcuts={keysOf('D')}
      data-off={isDeaf || undefined}
      onClick={() => voice.toggleDeafen()}
    />
  )
}

export function VoiceSettingsButton() {
  const openSettings = useOpenSettings()
  return (
    <IconButton
      label={t('Voice settings')}
      icon={<Settings2 />}
      className="voice-button"
      onClick={() => openSettings('voice')}
    />
  )
}

export function LeaveButton() {
  const voice = useVoiceControl()
  const isCall = useVoice(({ status }) => status.place?.conversation_id != null)
  return (
    <IconButton
      label={isCall ? t('Hang up') : t('Leave voice')}
      icon={<PhoneOff />}
      className="voice-button voice-leave"
      onClick={() => voice.leave()}
    />
  )
}

function keysOf(letter: string): string {
  return `${isApple() ? 'Meta' : 'Control'}+Shift+${letter}`
}
