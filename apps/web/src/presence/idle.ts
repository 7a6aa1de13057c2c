/** Without a touch for this long, the user is idle. */
export const IDLE_AFTER_MS = 10 * 60_000
/** A hidden page shows its user no message: they are idle sooner, and their phone is notified instead. */
export const HIDDEN_IDLE_AFTER_MS = 2 * 60_000
/** Other tabs learn of activity this often. */
export const SHARE_EVERY_MS = 30_000
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const

export interface IdleParts {
  readonly window: Pick<Window, 'addEventListener' | 'removeEventListener'> & {
    document: Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>
  }
  /** Carries activity between the tabs of the browser. */
  readonly activity: Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'close'>
}

/**
 * Calls back when the user has touched no tab of this browser for a while, and when they are back. Activity in one tab counts
 * for all: none shows them as idle while they use another.
 * @returns how to stop
 */
export function watchIdle({ window, activity }: IdleParts, onChange: (isIdle: boolean) => void): () => void {
  let isIdle = false
  let sharedAt = Number.NEGATIVE_INFINITY
  let timer = setTimeout(goIdle, patienceMs(window))

  function goIdle() {
    isIdle = true
    onChange(true)
  }
  function wait() {
    clearTimeout(timer)
    timer = setTimeout(goIdle, patienceMs(window))
  }
  function wake() {
    wait()
    if (!isIdle) return
    isIdle = false
    onChange(false)
  }
  function seen() {
    wake()
    if (Date.now() - sharedAt < SHARE_EVERY_MS) return
    sharedAt = Date.now()
    activity.postMessage(null)
  }
  function hiddenOrBack() {
    if (window.document.visibilityState === 'visible') seen()
    else if (!isIdle) wait()
  }
  for (const sign of SIGNS) window.addEventListener(sign, seen, { passive: true })
  window.document.addEventListener('visibilitychange', hiddenOrBack)
  activity.addEventListener('message', wake)
  return () => {
    clearTimeout(timer)
    for (const sign of SIGNS) window.removeEventListener(sign, seen)
    window.document.removeEventListener('visibilitychange', hiddenOrBack)
    activity.close()
  }
}

function patienceMs({ document }: IdleParts['window']): number {
  return document.visibilityState === 'hidden' ? HIDDEN_IDLE_AFTER_MS : IDLE_AFTER_MS
}
