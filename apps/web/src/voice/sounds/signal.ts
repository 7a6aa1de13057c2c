import { type Outlet, outletOf } from '../control/outlet.ts'
import { type Bell, type Note, strike } from './bell.ts'

/** Notes of the sounds in hertz and seconds: rising when a user joins, falling when a user leaves. */
const NOTES: Readonly<Record<'come' | 'go', readonly Note[]>> = {
  come: [
    { hertz: 523.25, after: 0 },
    { hertz: 659.26, after: 0.1 },
  ],
  go: [
    { hertz: 659.26, after: 0 },
    { hertz: 523.25, after: 0.1 },
  ],
}
const BELL: Bell = { type: 'sine', loudness: 0.07, seconds: 0.3, riseSeconds: 0.015, end: 0.0005 }

let outlet: Outlet | undefined
/** Id of the output device; empty for the system default. */
let chosen = ''

/**
 * Plays a soft sound when a user joins or leaves voice.
 * @param output id of the device; empty for the system default
 */
export function signal(what: 'come' | 'go', output: string): void {
  // Before a user gesture, browsers play nothing and log a warning.
  if (!navigator.userActivation?.hasBeenActive) return
  outlet ??= outletOf(new AudioContext())
  if (output !== chosen) outlet.choose(output)
  chosen = output
  for (const note of NOTES[what]) strike(outlet.input, BELL, note)
}
