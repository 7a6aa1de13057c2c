import { nextMuteEnd } from '#src/store/notification-settings.ts'
import type { Store } from '#src/store/store.ts'
import { serverNow } from '#src/ui/time/server-clock.ts'

/** Maximum time of one timer, because timers pause while a computer sleeps, and cannot run for months. */
const LONGEST_WAIT_MS = 600_000

/** Ends mutes when their time is over. @returns a function to stop */
export function keepMutes(store: Store, document: Document): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = () => {
    clearTimeout(timer)
    const end = nextMuteEnd(store.get())
    if (end === Number.POSITIVE_INFINITY) return
    timer = setTimeout(look, Math.min(LONGEST_WAIT_MS, Math.max(0, end - serverNow())))
  }
  const look = () => {
    store.dispatch('mutes_ended', null)
    wait()
  }
  const unsubscribe = store.api.subscribe((state, before) => {
    if (state.notificationSettings !== before.notificationSettings) wait()
  })
  document.addEventListener('visibilitychange', look)
  wait()
  return () => {
    clearTimeout(timer)
    unsubscribe()
    document.removeEventListener('visibilitychange', look)
  }
}
