import { useStore } from 'zustand'
import { useSession } from '#src/session/context.ts'
import type { VoiceControl, VoiceView } from './control/voice-control.ts'

/** Selects from the voice view. `select` must return the same object while nothing changed. */
export function useVoice<T>(select: (view: VoiceView) => T): T {
  return useStore(useSession().voice.api, select)
}

export function useVoiceControl(): VoiceControl {
  return useSession().voice
}
