import type { VoiceState } from '@foyer/protocol/voice'
import { useEffect, useState } from 'react'
import { useAppState } from '#src/session/context.ts'
import { useVoice } from '../../use-voice.ts'
import { useVideo } from '../use-video.ts'
import { nextSpeaker, type StagePicture, stageOf } from './stage.ts'

/** Time that another user must be the one who speaks, so that a cough changes nothing. */
const HOLD_MS = 800

/** The picture that is shown large in the speaker view and in the picture-in-picture window. */
export function useStage(voices: readonly VoiceState[]): StagePicture | null {
  const myId = useAppState((state) => state.me?.id)
  const pinned = useVideo((view) => view.pinned)
  const streams = useVideo((view) => view.streams)
  const present = voices.map(({ user_id }) => user_id)
  const speaker = useLastSpeaker(present.filter((id) => id !== myId))
  return stageOf({ pinned, streams, speaker, present, myId })
}

function useLastSpeaker(others: readonly string[]): string | null {
  const speaking = useVoice(({ status }) => status.speaking)
  const [last, setLast] = useState<string | null>(null)
  const next = nextSpeaker(last, speaking, others)
  useEffect(() => {
    if (next === last) return
    const timer = setTimeout(() => setLast(next), last === null ? 0 : HOLD_MS)
    return () => clearTimeout(timer)
  }, [next, last])
  return last
}
