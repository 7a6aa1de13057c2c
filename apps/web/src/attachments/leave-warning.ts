import { isAnyUnderWay, type UploadsState } from './upload-state.ts'
import type { Uploads } from './uploads.ts'

/** Has the browser ask before the page is left while files are on their way, wherever in the client one is. Returns how to stop. */
export function warnOfLeaving({ api }: Uploads): () => void {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault()
  // Only while there is something to lose: with a listener, browsers keep no page for going back to.
  const update = (state: UploadsState) => {
    if (isAnyUnderWay(state)) window.addEventListener('beforeunload', ask)
    else window.removeEventListener('beforeunload', ask)
  }
  const stop = api.subscribe(update)
  return () => {
    stop()
    window.removeEventListener('beforeunload', ask)
  }
}
