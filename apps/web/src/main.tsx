import { beginSpeaking } from './language/begin.ts'
import { beginSteadyStorage } from './session/steady-storage.ts'
import { browserTokens } from './session/tokens.ts'
import './styles/tokens.css'
import './styles/base.css'
import './styles/appearance.css'

beginSteadyStorage(window)

// Modules create texts while loading, so the app loads after its language is known.
beginSpeaking()
  .then(() => Promise.all([import('./open.tsx'), fetchPages()]))
  .then(([{ open }]) => open())

/** Preloads the signed-in pages in parallel with the app. A failed import is retried when the page is shown. */
async function fetchPages(): Promise<void> {
  if (browserTokens(window).load() === null) return
  warmUp()
  await Promise.all([import('./shell/pages.tsx'), import('@foyer/markdown/parser')]).catch(() => undefined)
}

/** Warms up time formatting in a worker. Without workers, the first formatted times are slower. */
function warmUp(): void {
  try {
    new Worker(new URL('./language/warm-up.ts', import.meta.url))
  } catch {
    // Some browsers forbid workers.
  }
}
