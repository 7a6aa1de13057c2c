import { type Bell, type Note, strike } from './bell.ts'
import { type Outlet, outletOf } from './outlet.ts'

/** Up for who comes, down for who goes; in hertz and seconds. */
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
/** The device that it plays on; the system's own at first. */
let chosen = ''

/**
 * A soft sound for who comes or goes in voice.
 * @param output the device; empty for the system's own
 */
export function signal(what: 'come' | 'go', output: string): void {
  // Before that browsers play nothing, and warn of it.
  if (!navigator.userActivation?.hasBeenActive) return
  outlet ??= outletOf(new AudioContext())
  if (output !== chosen) outlet.choose(output)
  chosen = output
  for (const note of NOTES[what]) strike(outlet.input, BELL, note)
}
