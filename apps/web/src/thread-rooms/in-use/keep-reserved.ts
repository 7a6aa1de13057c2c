import { THREADS_KEY } from '#src/session/place.ts'
import type { State } from '#src/store/state.ts'
import type { Store } from '#src/store/store.ts'
import { listedThreads } from './listed-threads.ts'
import { openId } from './loading.ts'
import { reservedRows } from './reserved-rows.ts'

const NONE = new URLSearchParams()

/** Gives back the reserved rows: the threads are loaded. */
export function releaseRows(): void {
  reservedRows.setState(NONE, true)
}

/** Keeps the numbers of listed threads whenever the page is hidden. @returns a function to stop */
export function keepReserved(window: Window, store: Store): () => void {
  const keep = () => {
    // Until the threads are loaded, the numbers kept before are better.
    if (reservedRows.getState() !== NONE) return
    window.localStorage.setItem(THREADS_KEY, `${countsOf(store.get())}`)
  }
  const ending = new AbortController()
  window.addEventListener('pagehide', keep, ending)
  window.document.addEventListener('visibilitychange', keep, ending)
  return () => ending.abort()
}

function countsOf(state: State): URLSearchParams {
  const rooms = new Set(Object.values(state.threads).map(({ parent_id }) => parent_id))
  const counts = [...rooms].map((id) => [id, `${listedThreads(state, id, openId()).length}`])
  return new URLSearchParams(counts.filter(([, count]) => count !== '0'))
}
