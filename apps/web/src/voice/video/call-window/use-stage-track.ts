import { useAppState } from '#src/session/context.ts'
import { useVideo } from '../use-video.ts'
import type { StagePicture } from './stage.ts'

/** The track of the large picture; null while there is none. */
export function useStageTrack(stage: StagePicture | null): MediaStreamTrack | null {
  const isMe = useAppState((state) => state.me?.id === stage?.userId)
  return useVideo(({ camera, pictures }) => {
    if (isMe) return camera.track
    const isStage = (one: { user_id: string; source: string }) =>
      one.user_id === stage?.userId && one.source === stage.source
    return pictures.find(isStage)?.track ?? null
  })
}
