/** Time without input after which the user is idle. */
export const IDLE_AFTER_MS = 10 * 60_000
/** Shorter time for a hidden page, which shows no messages, so that the user's phone is notified instead. */
export const HIDDEN_IDLE_AFTER_MS = 2 * 60_000
/** Interval at which this tab reports activity to the others. */
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
 * Calls `onChange` when the user goes idle and when they return. Activity in one tab counts for all tabs of the browser, so no
 * tab reports the user as idle while they use another.
 * @returns a function to stop
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
