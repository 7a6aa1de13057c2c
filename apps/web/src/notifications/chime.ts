import { type Bell, strike } from '#src/voice/sounds/bell.ts'

/** A rising fifth, in hertz and seconds. */
const NOTES = [
  { hertz: 587.33, after: 0 },
  { hertz: 880, after: 0.09 },
] as const
const BELL: Bell = { type: 'sine', loudness: 0.08, seconds: 0.32, riseSeconds: 0.015, end: 0.0005 }
/** Minimum time between two sounds. */
const PAUSE_MS = 1_500

let context: AudioContext | undefined
let lastMs = Number.NEGATIVE_INFINITY

/** Plays the notification sound. Browsers stay silent until the user has interacted with the page. */
export function chime(): void {
  const now = performance.now()
  if (!navigator.userActivation?.hasBeenActive || now - lastMs < PAUSE_MS) return
  lastMs = now
  context ??= new AudioContext()
  for (const note of NOTES) strike(context.destination, BELL, note)
}
