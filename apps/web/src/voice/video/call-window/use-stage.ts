import type { VoiceState } from '@foyer/protocol/voice'
import { useAppState } from '#src/session/context.ts'
import { useVideo } from '../use-video.ts'
import { type StagePicture, stageOf } from './stage.ts'

/** The picture that is shown large in the speaker view and in the picture-in-picture window. */
export function useStage(voices: readonly VoiceState[]): StagePicture | null {
  const myId = useAppState((state) => state.me?.id)
  const pinned = useVideo((view) => view.pinned)
  const streams = useVideo((view) => view.streams)
  const speaker = useVideo((view) => view.speaker)
  return stageOf({ pinned, streams, speaker, present: voices.map(({ user_id }) => user_id), myId })
}
