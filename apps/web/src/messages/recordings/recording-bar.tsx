import { SendHorizontal, Trash2, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { t } from '#src/language/texts.ts'
import { IconButton } from '#src/ui/buttons/icon-button.tsx'
import type { MicrophoneTrouble } from '#src/voice/control/microphone.ts'
import { LevelBar } from '#src/voice/devices/level-bar.tsx'
import type { Recorder } from './recorder.ts'
import './recording-bar.css'
import { RecordingClock } from './recording-clock.tsx'
import { useRecording } from './use-recording.ts'

interface RecordingBarProps {
  onSend: (file: File) => void
  onClose: () => void
}

/** Maximum length of a recording in milliseconds. The recording is then sent. */
const MAX_MS = 15 * 60_000

/** Replaces the message field while a voice message is recorded. */
export function RecordingBar({ onSend, onClose }: RecordingBarProps) {
  const state = useRecording()
  const send = async (recorder: Recorder) => {
    const file = await recorder.finish()
    onClose()
    if (file !== null) onSend(file)
  }
  if (state.name === 'failed')
    return (
      <fieldset className="recording" aria-label={t('Voice message')}>
        <p role="alert" className="recording-trouble">
          {TROUBLES[state.trouble]}
        </p>
        <IconButton label={t('Close')} icon={<X />} onClick={onClose} />
      </fieldset>
    )
  const recorder = state.name === 'running' ? state.recorder : null
  const discard = () => {
    recorder?.discard()
    onClose()
  }
  return <Running recorder={recorder} onSend={send} onDiscard={discard} />
}

interface RunningProps {
  /** Null while the microphone is being opened. */
  recorder: Recorder | null
  onSend: (recorder: Recorder) => Promise<void>
  onDiscard: () => void
}

function Running({ recorder, onSend, onDiscard }: RunningProps) {
  const sendButton = useRef<HTMLButtonElement>(null)
  const isOver = useRef(false)
  const send = () => {
    if (recorder === null || isOver.current) return
    isOver.current = true
    void onSend(recorder)
  }

  useEffect(() => {
    if (recorder !== null) sendButton.current?.focus()
  }, [recorder])

  // biome-ignore lint/correctness/useExhaustiveDependencies: `send` does the same in every render
  useEffect(() => {
    if (recorder === null) return
    const timer = setTimeout(send, MAX_MS)
    return () => clearTimeout(timer)
  }, [recorder])

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    onDiscard()
  }

  return (
    <fieldset className="recording" aria-label={t('Voice message')} onKeyDown={onKeyDown}>
      <IconButton label={t('Discard recording')} icon={<Trash2 />} onClick={onDiscard} />
      <p className="recording-state" role="status">
        {recorder === null ? t('Opening the microphone…') : t('Recording…')}
      </p>
      {recorder !== null && (
        <>
          <LevelBar meter={recorder.meter} className="recording-level" />
          <RecordingClock startedAt={recorder.startedAt} />
        </>
      )}
      <IconButton
        ref={sendButton}
        label={t('Send recording')}
        icon={<SendHorizontal />}
        className="composer-send"
        disabled={recorder === null}
        onClick={send}
      />
    </fieldset>
  )
}

const TROUBLES: Readonly<Record<MicrophoneTrouble, string>> = {
  denied: t(
    'Your browser blocks the microphone. Allow it in the site settings next to the address, then try again.',
  ),
  missing: t('No microphone found. Plug one in and try again.'),
  busy: t('Couldn’t open the microphone. Another app may be using it.'),
  insecure: t('Browsers block the microphone without HTTPS. Ask the administrator to enable HTTPS.'),
}
