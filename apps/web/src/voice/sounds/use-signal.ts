import { useCallback } from 'react'
import { useVoiceControl } from '../use-voice.ts'
import { signal } from './signal.ts'

/** Plays the sound for joining or leaving, if the settings allow it. */
export function useSignal(): (what: 'come' | 'go') => void {
  const voice = useVoiceControl()
  return useCallback(
    (what) => {
      const { signals, output } = voice.api.getState().settings
      if (signals) signal(what, output)
    },
    [voice],
  )
}
