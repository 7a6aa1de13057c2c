import { Mic, Square, Volume2 } from 'lucide-react'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { isInVoice } from '../phases.ts'
import { useVoice } from '../use-voice.ts'
import { LevelBar } from './level-bar.tsx'
import { ECHO_SECONDS, playTestSound } from './sound-check.ts'
import { useEchoTest } from './use-echo-test.ts'

/** Lets users hear themselves as others do, see the level, and check the speakers. */
export function MicrophoneTest() {
  const settings = useVoice((view) => view.settings)
  // Other users would hear the test, and the user would hear the call and the recording at the same time.
  const isInCall = useVoice(({ status }) => isInVoice(status))
  const sound = useAction()
  const { step, meter, trouble, start, stop } = useEchoTest(!isInCall)
  const isIdle = step === 'idle' || step === 'opening'
  return (
    <div className="microphone-test">
      <LevelBar meter={meter} />
      <div className="microphone-buttons">
        <Button
          pending={step === 'opening'}
          disabled={isInCall}
          onClick={() => (isIdle ? void start() : stop())}
        >
          {isIdle ? <Mic aria-hidden="true" /> : <Square aria-hidden="true" />}{' '}
          {isIdle ? t('Test microphone') : t('Stop')}
        </Button>
        <Button pending={sound.pending} onClick={() => sound.run(() => playTestSound(settings))}>
          <Volume2 aria-hidden="true" /> {t('Play test sound')}
        </Button>
      </div>
      <p className="settings-note" role="status">
        {step === 'recording' &&
          t('Speak now. In {seconds} seconds you’ll hear yourself.', { seconds: ECHO_SECONDS })}
        {step === 'playing' && t('This is how you sound to others.')}
        {isIdle && isInCall && t('You can test your microphone when you aren’t in a room or call.')}
      </p>
      {(trouble ?? sound.error) !== null && (
        <p role="alert" className="form-error">
          {trouble ?? sound.error}
        </p>
      )}
    </div>
  )
}
