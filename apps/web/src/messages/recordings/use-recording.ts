import { useEffect, useState } from 'react'
import { askBeforeLeaving } from '#src/attachments/uploads/leave-warning.ts'
import { useChannel } from '#src/channels/channel-context.ts'
import { t } from '#src/language/texts.ts'
import { useSession } from '#src/session/context.ts'
import { TYPING_INTERVAL_MS } from '#src/store/state.ts'
import { type MicrophoneTrouble, troubleOf } from '#src/voice/control/microphone.ts'
import { useVoice } from '#src/voice/use-voice.ts'
import { keepRecording } from './keep-recording.ts'
import { type Recorder, record } from './recorder.ts'

export type RecordingState =
  | { readonly name: 'opening' }
  | { readonly name: 'running'; readonly recorder: Recorder }
  | { readonly name: 'failed'; readonly trouble: MicrophoneTrouble }

/** Records while mounted, and shows others that the user is recording. Keeps a recording that was not sent or discarded. */
export function useRecording(): RecordingState {
  const session = useSession()
  const channel = useChannel()
  const { address } = channel
  const { client } = session
  const settings = useVoice((view) => view.settings)
  const [state, setState] = useState<RecordingState>({ name: 'opening' })

  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed device would restart the recording
  useEffect(() => {
    let isGone = false
    let leave = () => {}
    const begin = (recorder: Recorder) => {
      if (isGone) return recorder.discard()
      const stopAsking = askBeforeLeaving()
      leave = () => void keepRecording(session, channel, recorder).finally(stopAsking)
      setState({ name: 'running', recorder })
    }
    record(settings, t('Voice message')).then(
      begin,
      (error) => isGone || setState({ name: 'failed', trouble: troubleOf(error) }),
    )
    return () => {
      isGone = true
      leave()
    }
  }, [])

  const isRunning = state.name === 'running'
  useEffect(() => {
    if (!isRunning) return
    // A lost typing indicator does no harm.
    const notify = () => void client.messages.recording(address).catch(() => undefined)
    notify()
    const timer = setInterval(notify, TYPING_INTERVAL_MS)
    return () => clearInterval(timer)
  }, [isRunning, client, address])
  return state
}
