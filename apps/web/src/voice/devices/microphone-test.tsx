import { Mic, Square, Volume2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { t } from '#src/language/texts.ts'
import { Button } from '#src/ui/buttons/button.tsx'
import { useAction } from '#src/ui/fields/use-action.ts'
import { troubleOf } from '../control/microphone.ts'
import { useVoice } from '../use-voice.ts'
import { LevelBar } from './level-bar.tsx'
import { microphoneWords } from './microphone-words.ts'
import { type Listening, listenToOneself, playTestSound } from './sound-check.ts'

/** Lets users listen to their own microphone, see its level, and check the speakers. */
export function MicrophoneTest() {
  const settings = useVoice((view) => view.settings)
  const sound = useAction()
  const { listening, trouble, start, stop } = useListening()
  return (
    <div className="microphone-test">
      <LevelBar meter={listening?.meter} />
      <div className="microphone-buttons">
        {listening === undefined ? (
          <Button onClick={start}>
            <Mic aria-hidden="true" /> {t('Test microphone')}
          </Button>
        ) : (
          <Button onClick={stop}>
            <Square aria-hidden="true" /> {t('Stop')}
          </Button>
        )}
        <Button pending={sound.pending} onClick={() => sound.run(() => playTestSound(settings))}>
          <Volume2 aria-hidden="true" /> {t('Play test sound')}
        </Button>
      </div>
      {listening !== undefined && (
        <p className="settings-note">
          {t('Say something to hear yourself. Use headphones to avoid feedback.')}
        </p>
      )}
      {(trouble ?? sound.error) !== null && (
        <p role="alert" className="form-error">
          {trouble ?? sound.error}
        </p>
      )}
    </div>
  )
}

/** The tested microphone, opened again when the user chooses another one. */
function useListening() {
  const settings = useVoice((view) => view.settings)
  const { input, output, echoCancellation, noiseSuppression } = settings
  const [isOn, setIsOn] = useState(false)
  const [listening, setListening] = useState<Listening>()
  const [trouble, setTrouble] = useState<string | null>(null)

  // biome-ignore lint/correctness/useExhaustiveDependencies: only the settings that the microphone is opened with
  useEffect(() => {
    if (!isOn) return
    let isOver = false
    const opened = listenToOneself(settings)
    opened.then(
      (found) => !isOver && setListening(found),
      (error) => {
        if (isOver) return
        setTrouble(microphoneWords[troubleOf(error)])
        setIsOn(false)
      },
    )
    return () => {
      isOver = true
      setListening(undefined)
      opened.then(
        (found) => found.stop(),
        () => undefined,
      )
    }
  }, [isOn, input, output, echoCancellation, noiseSuppression])

  return {
    listening,
    trouble,
    start: () => {
      setTrouble(null)
      setIsOn(true)
    },
    stop: () => setIsOn(false),
  }
}
