import type { ChosenStatus } from '@foyer/protocol/presence'
import { chosenStatus, forgetStatus, keepStatus } from './choice.ts'

/** Time without input after which a user is shown as idle. */
export const IDLE_AFTER_MS = 10 * 60_000
/** Idle time for hidden pages, where the user sees no messages. Idle users get pushes on their phone. */
export const HIDDEN_IDLE_AFTER_MS = 2 * 60_000
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const

/** The part of the window that is used here. */
type Screen = Pick<Window, 'addEventListener' | 'removeEventListener'> & {
  localStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  document: Pick<Document, 'visibilityState' | 'addEventListener' | 'removeEventListener'>
}

export interface OwnPresence {
  readonly status: ChosenStatus
  choose(status: ChosenStatus): void
  /** Deletes the choice, so that the next user of a shared computer is not invisible. */
  forget(): void
  close(): void
}

/**
 * Sends the user's status: their choice, or idle while they are away. Each tab sends its own, and the user is idle when all of
 * their tabs are.
 */
export function keepPresence(
  send: (status: ChosenStatus) => void,
  { window }: { window: Screen },
): OwnPresence {
  let status = chosenStatus(window.localStorage)
  let isIdle = false
  let timer = setTimeout(goIdle, patienceMs(window))

  function sendStatus() {
    send(isIdle && status === 'online' ? 'idle' : status)
  }
  function goIdle() {
    isIdle = true
    sendStatus()
  }
  function seen() {
    clearTimeout(timer)
    timer = setTimeout(goIdle, patienceMs(window))
    if (!isIdle) return
    isIdle = false
    sendStatus()
  }
  function hiddenOrBack() {
    if (!isIdle || window.document.visibilityState === 'visible') seen()
  }
  /** A choice in another tab applies to all tabs. */
  function chooseAsOthers() {
    const chosen = chosenStatus(window.localStorage)
    if (chosen === status) return
    status = chosen
    sendStatus()
  }
  const stopListening = listen(window, { seen, chooseAsOthers, hiddenOrBack })
  sendStatus()
  return {
    get status() {
      return status
    },
    choose: (chosen) => {
      status = chosen
      keepStatus(window.localStorage, chosen)
      sendStatus()
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

type Handlers = Record<'seen' | 'chooseAsOthers' | 'hiddenOrBack', () => void>

function listen(window: Screen, { seen, chooseAsOthers, hiddenOrBack }: Handlers): () => void {
  for (const sign of SIGNS) window.addEventListener(sign, seen, { passive: true })
  window.addEventListener('storage', chooseAsOthers)
  window.document.addEventListener('visibilitychange', hiddenOrBack)
  return () => {
    for (const sign of SIGNS) window.removeEventListener(sign, seen)
    window.removeEventListener('storage', chooseAsOthers)
    window.document.removeEventListener('visibilitychange', hiddenOrBack)
  }
}
