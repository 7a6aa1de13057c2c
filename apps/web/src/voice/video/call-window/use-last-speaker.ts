import { useEffect } from 'react'
import { useAppState } from '#src/session/context.ts'
import { voicesIn } from '#src/store/voice-states.ts'
import { voiceChannelId } from '../../phases.ts'
import { useVoice } from '../../use-voice.ts'
import { useVideo, useVideoControl } from '../use-video.ts'
import { nextSpeaker } from './stage.ts'

/** Minimum time that another user must speak to become the last speaker, so that a cough changes nothing. */
const HOLD_MS = 800

/** Stores the last user who spoke, once for all views. */
export function useLastSpeaker(): void {
  const video = useVideoControl()
  const myId = useAppState((state) => state.me?.id)
  const id = useVoice(({ status }) => voiceChannelId(status)) ?? ''
  const voices = useAppState((state) => voicesIn(state, id))
  const last = useVideo(({ speaker }) => speaker)
  const others = voices.map(({ user_id }) => user_id).filter((userId) => userId !== myId)
  const next = useVoice(({ status }) => nextSpeaker(last, status.speaking, others))
  useEffect(() => {
    if (next === last) return
    const timer = setTimeout(() => video.setSpeaker(next), last === null ? 0 : HOLD_MS)
    return () => clearTimeout(timer)
  }, [video, next, last])
}
