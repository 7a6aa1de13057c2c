import { Voice, type VoiceDeps } from '@foyer/sdk/voice/voice'
import type { VoiceControl } from './control/voice-control.ts'
import { videoOf } from './video/video-of.ts'

// Exported here, so that it loads together with the code of voice.
export { tryMicrophone } from './control/microphone.ts'

/** Opens voice together with its cameras and screens, whose code loads with the first join. */
export function openVoice(deps: VoiceDeps, control: VoiceControl): Voice {
  const voice = new Voice(deps)
  videoOf(control).attach(voice)
  return voice
}
