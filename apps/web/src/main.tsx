import { beginSpeaking } from './language/begin.ts'
import { beginSteadyStorage } from './session/steady-storage.ts'
import { browserTokens } from './session/tokens.ts'
import './styles/tokens.css'
import './styles/base.css'
import './styles/appearance.css'

beginSteadyStorage(window)

// Modules keep texts that they make when they are loaded: the app comes when its language is known.
beginSpeaking()
  .then(() => Promise.all([import('./open.tsx'), fetchPages()]))
  .then(([{ open }]) => open())

/** What only those need who are signed in, beside the app and not after it. What fails is fetched again where it is shown. */
async function fetchPages(): Promise<void> {
  if (browserTokens(window).load() === null) return
  warmUp()
  await Promise.all([import('./shell/pages.tsx'), import('./markdown/parser.ts')]).catch(() => undefined)
}

/** Where there are no workers, the first times that are written cost the page more. */
function warmUp(): void {
  try {
    new Worker(new URL('./language/warm-up.ts', import.meta.url))
  } catch {
    // A browser may forbid them.
  }
}
