import type { VoiceControl } from '../control/voice-control.ts'

/** Events after which browsers allow audio. For touch, `pointerdown` does not count. */
export const PRESSES = ['pointerup', 'mousedown', 'keydown'] as const

/** Prevents a second start of the filter: the page may have several notes, and one click fires several events. */
let isWaking = false

/**
 * Opens the microphone again to start the filter. Does nothing if that is already under way, or if the press does not allow
 * audio, as Escape does not. Call this while handling one of the presses.
 */
export async function wakeQuiet(
  voice: Pick<VoiceControl, 'reopenMicrophone'>,
  { isActive }: Pick<UserActivation, 'isActive'> = navigator.userActivation,
): Promise<void> {
  if (isWaking || !isActive) return
  isWaking = true
  await voice.reopenMicrophone().finally(() => {
    isWaking = false
  })
}
