import { X } from 'lucide-react'
import { useEffect } from 'react'
import { t } from '#src/language/texts.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import { quiet } from '../control/quiet/quiet.ts'
import { useVoiceControl } from '../use-voice.ts'
import { quietWords } from './quiet-words.ts'
import './quiet-note.css'
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
    <div className="quiet-note" role="status">
      <p>{quietWords[trouble]}</p>
      <IconButton label={t('Dismiss')} icon={<X />} onClick={() => quiet.setState({ trouble: null })} />
    </div>
  )
}
