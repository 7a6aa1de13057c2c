import { useCallback, useEffect, useRef, useState } from 'react'
import { troubleOf } from '../control/microphone.ts'
import { useVoice, useVoiceControl } from '../use-voice.ts'
import type { LevelMeter } from './level.ts'
import { microphoneWords } from './microphone-words.ts'
import { type EchoTest, testEcho } from './sound-check.ts'
import { useQuiet } from './use-quiet.ts'

type Step = 'idle' | 'opening' | 'recording' | 'playing'

interface Progress {
  readonly step: Step
  /** Level of the recording or of its playback; undefined while neither runs. */
  readonly meter: LevelMeter | undefined
}

const IDLE: Progress = { step: 'idle', meter: undefined }

/** The microphone test. Ends when the page closes, the user joins a room or call, or a sound setting changes. */
export function useEchoTest(isAllowed: boolean) {
  const voice = useVoiceControl()
  const { input, output, echoCancellation, noiseSuppression } = useVoice((view) => view.settings)
  const { isOn: isQuiet } = useQuiet()
  const [progress, setProgress] = useState(IDLE)
  const [trouble, setTrouble] = useState<string | null>(null)
  /** Changes with every start and stop, so that results of an earlier test are ignored. */
  const current = useRef<{ test?: EchoTest }>({})

  const stop = useCallback(() => {
    current.current.test?.stop()
    current.current = {}
    setProgress(IDLE)
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: ends the test when one of them changes
  useEffect(() => stop, [stop, isAllowed, input, output, echoCancellation, noiseSuppression, isQuiet])

  async function start() {
    stop()
    const own: typeof current.current = {}
    current.current = own
    const show = (next: Progress) => current.current === own && setProgress(next)
    setTrouble(null)
    setProgress({ step: 'opening', meter: undefined })
    try {
      const test = await testEcho(voice.api.getState().settings)
      if (current.current !== own) return test.stop()
      own.test = test
      show({ step: 'recording', meter: test.recording })
      await test.recorded
      show({ step: 'playing', meter: test.playback })
      await test.played
      show(IDLE)
    } catch (error) {
      if (current.current === own) setTrouble(microphoneWords[troubleOf(error)])
      show(IDLE)
    }
  }

  return { ...progress, trouble, start, stop }
}
