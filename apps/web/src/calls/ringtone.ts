import { type Bell, strike } from '#src/voice/bell.ts'
import { outletOf } from '#src/voice/outlet.ts'

/** Two knocks of a bell, in hertz and seconds. */
const NOTES = [
  { hertz: 783.99, after: 0 },
  { hertz: 987.77, after: 0.16 },
  { hertz: 783.99, after: 0.6 },
  { hertz: 987.77, after: 0.76 },
] as const
const BELL: Bell = { type: 'triangle', loudness: 0.2, seconds: 0.5, riseSeconds: 0.01, end: 0.001 }
const EVERY_MS = 2500

/** So much later asks a tab that nobody looks at, so that one that is looked at rings. */
const HIDDEN_AFTER_MS = 500
/** A browser that plays sounds has begun to by then. */
const AUDIBLE_WITHIN_MS = 1000

/**
 * Rings until what it answers is called, in one of the browser's tabs. Before somebody has touched a page browsers play
 * nothing: then it is silent, and leaves it to others.
 * @param output the device; empty for the system's own
 */
export function startRingtone(output: string): () => void {
  if (!navigator.userActivation.hasBeenActive) return () => undefined
  // Withheld from pages that are served without TLS: there all of them ring.
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

/** Resolves when it is over, or cannot be heard here: then it is another tab's turn. */
function ringUntil(signal: AbortSignal, output: string): Promise<void> {
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  if (signal.aborted) return Promise.resolve()
  const stop = ring(output, end)
  signal.addEventListener('abort', () => end())
  return over.then(stop)
}

/** @param onSilence called where the browser does not play it */
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
