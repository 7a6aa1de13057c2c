import { THREADS_KEY } from '#src/session/place.ts'
import type { Session } from '#src/session/session.ts'
import type { State } from '#src/store/state.ts'
import { listedThreads } from './listed-threads.ts'
import { openId } from './loading.ts'
import { reservedRows } from './reserved-rows.ts'

/** Stops reserving rows. Called once the threads are loaded. */
export function releaseRows(): void {
  reservedRows.setState(new URLSearchParams(), true)
}

/**
 * Stores the numbers of listed threads whenever the page is hidden or shown. Called once the threads are loaded.
 * @returns a function to stop
 */
export function keepReserved(window: Window, { login, store }: Pick<Session, 'login' | 'store'>): () => void {
  const keep = () => {
    // Another tab may have signed out.
    if (login.load() === null) return
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
