import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { isApple } from '#src/shortcuts/is-apple.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { SwitchRow } from '#src/ui/fields/switch-row.tsx'
import { ConnectionTest } from './connection/connection-test.tsx'
import { NetworkHelp } from './connection/network-help.tsx'
import { DeviceFields } from './devices/device-fields.tsx'
import { MicrophoneTest } from './devices/microphone-test.tsx'
import { NoiseFields } from './devices/noise-fields.tsx'
import { TalkKeyField } from './talk-key/talk-key-field.tsx'
import { useVoice, useVoiceControl } from './use-voice.ts'
import { CameraField } from './video/camera-field.tsx'
import './voice-section.css'

/** Voice settings of this browser. */
export function VoiceSection() {
  const voice = useVoiceControl()
  const settings = useVoice((view) => view.settings)
  const [isHelped, setIsHelped] = useState(false)
  return (
    <div className="voice-section">
      <p className="settings-note">{t('Voice settings apply to this browser only.')}</p>
      <section className="settings-block">
        <h4>{t('Devices')}</h4>
        <DeviceFields />
        <MicrophoneTest />
        <SwitchRow
          label={t('Join and leave sounds')}
          description={t('Also plays when you join, leave or lose the connection.')}
          checked={settings.signals}
          onChange={(signals) => voice.changeSettings({ signals })}
        />
      </section>
      <section className="settings-block">
        <h4>{t('Video')}</h4>
        <CameraField />
      </section>
      <section className="settings-block">
        <h4>{t('Microphone')}</h4>
        <SwitchRow
          label={t('Push to talk')}
          description={t('Transmit only while a key is held.')}
          checked={settings.mode === 'push_to_talk'}
          onChange={(isOn) => voice.changeSettings({ mode: isOn ? 'push_to_talk' : 'open' })}
        />
        {settings.mode === 'push_to_talk' && <TalkKeyField isApple={isApple()} />}
        <SwitchRow
          label={t('Echo cancellation')}
          description={t('Prevents others from hearing their own echo.')}
          checked={settings.echoCancellation}
          onChange={(echoCancellation) => voice.changeSettings({ echoCancellation })}
        />
        <NoiseFields />
      </section>
      <section className="settings-block">
        <h4>{t('Connection')}</h4>
        <p className="settings-note">
          {t('Checks whether audio can reach the server. Nobody will hear it.')}
        </p>
        <ConnectionTest help={<Button onClick={() => setIsHelped(true)}>{t('What can I do?')}</Button>} />
      </section>
      {isHelped && <NetworkHelp onClose={() => setIsHelped(false)} />}
    </div>
  )
}
