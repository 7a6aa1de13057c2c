import { useStore } from 'zustand'
import { useSession } from '#src/session/context.ts'
import type { VideoControl, VideoView } from './video-control.ts'
import { videoOf } from './video-of.ts'

/** Selects from the video view. `select` must return the same object while nothing changed. */
export function useVideo<T>(select: (view: VideoView) => T): T {
  return useStore(useVideoControl().api, select)
}

export function useVideoControl(): VideoControl {
  return videoOf(useSession().voice)
}
