import { Loudspeaker } from '../control/loudspeaker.ts'
import type { VoiceControl } from '../control/voice-control.ts'
import { openCamera, openScreen } from './capture.ts'
import { VideoControl } from './video-control.ts'

const videos = new WeakMap<VoiceControl, VideoControl>()

/** Returns the cameras and screens that belong to a page's voice. Voice itself loads earlier, without their code. */
export function videoOf(control: VoiceControl): VideoControl {
  const known = videos.get(control)
  if (known !== undefined) return known
  const loudspeaker = new Loudspeaker()
  const video = new VideoControl({
    control,
    loudspeaker,
    openCamera,
    openScreen,
    storage: window.localStorage,
  })
  videos.set(control, video)
  return video
}
