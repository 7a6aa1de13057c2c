import { useStore } from 'zustand'
import { type QuietView, quiet } from '../control/quiet/quiet.ts'
import type { VoiceControl } from '../control/voice-control.ts'

/** The strong noise suppression of this browser. */
export function useQuiet(): QuietView {
  return useStore(quiet)
}

/** Opens the microphone again if it is in use, so that a changed noise suppression applies without leaving the room or call. */
export function reopenMicrophone(voice: VoiceControl): void {
  const { noiseSuppression } = voice.api.getState().settings
  voice.changeSettings({ noiseSuppression })
}
