import { useState } from 'react'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { SelectField } from '#src/ui/fields/select-field.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { openMicrophone, troubleOf } from '../control/microphone.ts'
import { mayChooseOutput } from '../control/outlet.ts'
import { useVoice, useVoiceControl } from '../use-voice.ts'
import { deviceOptions } from './device-options.ts'
import { microphoneWords } from './microphone-words.ts'
import { type Devices, useDevices } from './use-devices.ts'

/** Choice of the microphone and the speakers. */
export function DeviceFields() {
  const voice = useVoiceControl()
  const { input, output } = useVoice((view) => view.settings)
  const devices = useDevices()
  return (
    <div className="device-fields">
      <SelectField
        name="input"
        label={t('Microphone')}
        value={input}
        options={deviceOptions(devices.inputs, input)}
        onChange={(id) => voice.changeSettings({ input: id })}
      />
      {mayChooseOutput() && (
        <SelectField
          name="output"
          label={t('Speakers')}
          value={output}
          options={deviceOptions(devices.outputs, output)}
          onChange={(id) => voice.changeSettings({ output: id })}
        />
      )}
      {!devices.areNamed && <Naming devices={devices} />}
    </div>
  )
}

function Naming({ devices }: { devices: Devices }) {
  const voice = useVoiceControl()
  const action = useAction()
  const [trouble, setTrouble] = useState<string | null>(null)

  async function allow() {
    try {
      const track = await openMicrophone(voice.api.getState().settings)
      track.stop()
      setTrouble(null)
      devices.refresh()
    } catch (error) {
      setTrouble(microphoneWords[troubleOf(error)])
    }
  }

  return (
    <p className="settings-note" role="status">
      {trouble ?? t('Device names appear once you allow the microphone.')}{' '}
      <Button look="text" pending={action.pending} onClick={() => action.run(allow)}>
        {t('Allow microphone')}
      </Button>
    </p>
  )
}
