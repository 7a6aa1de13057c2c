import { useEffect } from 'react'
import { quiet } from '../control/quiet/quiet.ts'
import { useVoiceControl } from '../use-voice.ts'
import { VoiceNote } from '../voice-note.tsx'
import { quietWords } from './quiet-words.ts'
import { useQuiet } from './use-quiet.ts'
import { PRESSES, wakeQuiet } from './wake-quiet.ts'

/** Explains in a room or call why the microphone is not filtered, and starts the filter as soon as the browser lets it. */
export function QuietNote() {
  const voice = useVoiceControl()
  const { isOn, trouble } = useQuiet()
  const isAsleep = isOn && trouble === 'asleep'

  useEffect(() => {
    if (!isAsleep) return
    const wake = () => void wakeQuiet(voice)
    for (const name of PRESSES) window.addEventListener(name, wake)
    return () => {
      for (const name of PRESSES) window.removeEventListener(name, wake)
    }
  }, [voice, isAsleep])

  if (!isOn || trouble === null) return null
  return (
    <VoiceNote role="status" onDismiss={() => quiet.setState({ trouble: null })}>
      {quietWords[trouble]}
    </VoiceNote>
  )
}
