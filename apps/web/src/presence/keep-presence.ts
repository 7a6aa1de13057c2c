import type { ChosenStatus } from '@foyer/protocol/presence'
import { chosenStatus, forgetStatus, keepStatus } from './choice.ts'

/** Who has not touched anything for so long is shown as idle. */
export const IDLE_AFTER_MS = 10 * 60_000
/** Whose page is hidden sees no message in it: soon their phone is told instead. */
export const HIDDEN_IDLE_AFTER_MS = 2 * 60_000
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const

/** What it needs of the page. */
type Screen = Pick<Window, 'addEventListener' | 'removeEventListener'> & {
  localStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  document: Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>
}

export interface OwnPresence {
  readonly status: ChosenStatus
  choose(status: ChosenStatus): void
  /** Nobody is hidden on a shared computer by who used it before. */
  forget(): void
  close(): void
}

/**
 * Tells how the user is to be seen: as they chose, and idle by itself while nobody is at the screen. Each tab says it of itself:
 * they are idle where all of their tabs are.
 */
export function keepPresence(
  say: (status: ChosenStatus) => void,
  { window }: { window: Screen },
): OwnPresence {
  let status = chosenStatus(window.localStorage)
  let isIdle = false
  let timer = setTimeout(goIdle, patienceMs(window))

  function tell() {
    say(isIdle && status === 'online' ? 'idle' : status)
  }
  function goIdle() {
    isIdle = true
    tell()
  }
  function seen() {
    clearTimeout(timer)
    timer = setTimeout(goIdle, patienceMs(window))
    if (!isIdle) return
    isIdle = false
    tell()
  }
  function hiddenOrBack() {
    if (!isIdle || window.document.visibilityState === 'visible') seen()
  }
  /** What was chosen in another tab is chosen for all. */
  function chooseAsOthers() {
    const chosen = chosenStatus(window.localStorage)
    if (chosen === status) return
    status = chosen
    tell()
  }
  const stopListening = listen(window, { seen, chooseAsOthers, hiddenOrBack })
  tell()
  return {
    get status() {
      return status
    },
    choose: (chosen) => {
      status = chosen
      keepStatus(window.localStorage, chosen)
      tell()
    },
    forget: () => forgetStatus(window.localStorage),
    close: () => {
      clearTimeout(timer)
      stopListening()
    },
  }
}

function patienceMs({ document }: Screen): number {
  return document.visibilityState === 'hidden' ? HIDDEN_IDLE_AFTER_MS : IDLE_AFTER_MS
}

type Heard = Record<'seen' | 'chooseAsOthers' | 'hiddenOrBack', () => void>

function listen(window: Screen, { seen, chooseAsOthers, hiddenOrBack }: Heard): () => void {
  for (const sign of SIGNS) window.addEventListener(sign, seen, { passive: true })
  window.addEventListener('storage', chooseAsOthers)
  window.document.addEventListener('visibilitychange', hiddenOrBack)
  return () => {
    for (const sign of SIGNS) window.removeEventListener(sign, seen)
    window.removeEventListener('storage', chooseAsOthers)
    window.document.removeEventListener('visibilitychange', hiddenOrBack)
  }
}
