import { useEffect } from 'react'
import { useAppState } from '#src/session/context.ts'
import { useShortcut } from '#src/shortcuts/use-shortcut.ts'
import { voicesIn } from '#src/store/voice-states.ts'
import { lazyPopup } from '#src/ui/loading/lazy-popup.tsx'
import { voiceChannelId } from '../phases.ts'
import { useVoice } from '../use-voice.ts'
import { useLastSpeaker } from './call-window/use-last-speaker.ts'
import { useMediaKeys } from './call-window/use-media-keys.ts'
import { useIsPictureWindowOpen } from './call-window/use-picture-window.ts'
import { canShareScreen } from './capture.ts'
import { ScreenDialog } from './screen-dialog.tsx'
import { useVideoControl } from './use-video.ts'
import { useVideoAccess } from './video-access.ts'

const PictureWindowContent = lazyPopup(() =>
  import('./call-window/picture-window-content.tsx').then((module) => module.PictureWindowContent),
)

/** Background work of cameras and screens while in a room or call, on every page. */
export function VideoKeeper() {
  const video = useVideoControl()
  const mayUseVideo = useVideoAccess('UseVideo') === 'given'
  const mayShare = useVideoAccess('ShareScreen') === 'given' && canShareScreen()
  useShortcut('toggle-camera', () => mayUseVideo && void video.toggleCamera())
  useShortcut('share-screen', () => mayShare && video.toggleScreen())
  useEndedStreams()
  useMediaKeys(mayUseVideo)
  useLastSpeaker()
  const hasWindow = useIsPictureWindowOpen()

  useEffect(() => {
    const wake = () => video.wake()
    for (const name of ['pointerdown', 'keydown']) window.addEventListener(name, wake)
    return () => {
      for (const name of ['pointerdown', 'keydown']) window.removeEventListener(name, wake)
    }
  }, [video])

  return (
    <>
      <ScreenDialog />
      {hasWindow && <PictureWindowContent />}
    </>
  )
}

/** Interval at which streams of absent users are checked. */
const CHECK_MS = 5000

/** Stops watching streams that have ended, so that they are not watched when they start again. */
function useEndedStreams(): void {
  const video = useVideoControl()
  const id = useVoice(({ status }) => voiceChannelId(status)) ?? ''
  const voices = useAppState((state) => voicesIn(state, id))
  useEffect(() => {
    video.keepStreams(voices)
    const timer = setInterval(() => video.keepStreams(voices), CHECK_MS)
    return () => clearInterval(timer)
  }, [video, voices])
}
