import { outletOf } from '../control/outlet.ts'
import { type Bell, strike } from '../sounds/bell.ts'

/** Two strikes of a two-tone bell: pitch in hertz, and start in seconds. */
const NOTES = [
  { hertz: 783.99, after: 0 },
  { hertz: 987.77, after: 0.16 },
  { hertz: 783.99, after: 0.6 },
  { hertz: 987.77, after: 0.76 },
] as const
const BELL: Bell = { type: 'triangle', loudness: 0.2, seconds: 0.5, riseSeconds: 0.01, end: 0.001 }
const EVERY_MS = 2500

/** Delay in hidden tabs, so that a visible tab rings instead. */
const HIDDEN_AFTER_MS = 500
/** Time within which the browser must have started playing. */
const AUDIBLE_WITHIN_MS = 1000

/**
 * Rings in one of the browser's tabs until the returned function is called. Without a user gesture, browsers play nothing, so
 * such a tab leaves the ringing to the other tabs.
 * @param output id of the device; empty for the system default
 */
export function startRingtone(output: string): () => void {
  if (!navigator.userActivation.hasBeenActive) return () => undefined
  // Undefined on pages served without TLS. Without locks, all tabs ring.
  const locks: LockManager | undefined = navigator.locks
  if (locks === undefined) return ring(output, () => undefined)
  const ending = new AbortController()
  const { signal } = ending
  const ringInTurn = () => locks.request('foyer.ringtone', { signal }, () => ringUntil(signal, output))
  const timer = setTimeout(() => ringInTurn().catch(() => undefined), document.hidden ? HIDDEN_AFTER_MS : 0)
  return () => {
    clearTimeout(timer)
    ending.abort()
  }
}

/** Rings until the signal aborts. Resolves early if this tab cannot play the ringtone, so that the next tab rings. */
function ringUntil(signal: AbortSignal, output: string): Promise<void> {
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  if (signal.aborted) return Promise.resolve()
  const stop = ring(output, end)
  signal.addEventListener('abort', () => end())
  return over.then(stop)
}

/** @param onSilence called if the browser does not play the ringtone */
function ring(output: string, onSilence: () => void): () => void {
  const outlet = outletOf(new AudioContext())
  if (output !== '') outlet.choose(output)
  const knock = () => {
    for (const note of NOTES) strike(outlet.input, BELL, note)
  }
  knock()
  const timer = setInterval(knock, EVERY_MS)
  const check = setTimeout(() => outlet.context.state !== 'running' && onSilence(), AUDIBLE_WITHIN_MS)
  return () => {
    clearTimeout(check)
    clearInterval(timer)
    outlet.close()
  }
}
