import { useEffect } from 'react'
import { isSilent } from '../../control/is-silent.ts'
import { useVoice, useVoiceControl } from '../../use-voice.ts'
import { useVideo, useVideoControl } from '../use-video.ts'

/** The part of the browser's media session for calls. TypeScript's DOM types lack some of its actions. */
interface CallKeys {
  setActionHandler(action: string, handler: (() => void) | null): void
  setMicrophoneActive?(isActive: boolean): unknown
  setCameraActive?(isActive: boolean): unknown
}

/** Lets media keys and the controls of the system toggle the microphone and the camera, and hang up. */
export function useMediaKeys(mayUseVideo: boolean): void {
  const voice = useVoiceControl()
  const video = useVideoControl()
  const hasMicrophone = useVoice((view) => !isSilent(view))
  const hasCamera = useVideo(({ camera }) => camera.phase === 'on')

  useEffect(() => {
    const ends = [handle('togglemicrophone', () => voice.toggleMute()), handle('hangup', () => voice.leave())]
    return () => {
      for (const end of ends) end()
    }
  }, [voice])

  useEffect(
    () => (mayUseVideo ? handle('togglecamera', () => void video.toggleCamera()) : undefined),
    [video, mayUseVideo],
  )

  useEffect(() => {
    announce(() => session()?.setMicrophoneActive?.(hasMicrophone))
  }, [hasMicrophone])

  useEffect(() => {
    announce(() => session()?.setCameraActive?.(hasCamera))
  }, [hasCamera])
}

/** Ignores failures, because browsers refuse on pages in the background. Some return a promise, others nothing. */
function announce(tell: () => unknown): void {
  Promise.resolve(tell()).catch(() => undefined)
}

/** @returns a function that removes the handler */
function handle(action: string, handler: () => void): () => void {
  try {
    session()?.setActionHandler(action, handler)
  } catch {
    // Browsers throw for an action that they do not know.
    return () => undefined
  }
  return () => session()?.setActionHandler(action, null)
}

function session(): CallKeys | undefined {
  return 'mediaSession' in navigator ? navigator.mediaSession : undefined
}
