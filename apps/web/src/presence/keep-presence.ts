import type { ChosenStatus } from '@foyer/protocol/presence'
import { chosenStatus, forgetStatus, keepStatus } from './choice.ts'
import { type IdleParts, watchIdle } from './idle.ts'

interface PresenceParts extends IdleParts {
  readonly window: IdleParts['window'] & {
    localStorage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  }
}

export interface OwnPresence {
  readonly status: ChosenStatus
  choose(status: ChosenStatus): void
  /** Deletes the choice, so that the next user of a shared computer is not invisible. */
  forget(): void
  close(): void
}

/** Sets the user's status: the one they chose, or idle while nobody is at the screen. */
export function keepPresence(send: (status: ChosenStatus) => void, parts: PresenceParts): OwnPresence {
  const { window } = parts
  let status = chosenStatus(window.localStorage)
  let isIdle = false

  function sendStatus() {
    send(isIdle && status === 'online' ? 'idle' : status)
  }
  /** A status that was chosen in another tab counts for all. */
  function chooseAsOthers() {
    const chosen = chosenStatus(window.localStorage)
    if (chosen === status) return
    status = chosen
    sendStatus()
  }
  const stopWatching = watchIdle(parts, (isIdleNow) => {
    isIdle = isIdleNow
    sendStatus()
  })
  window.addEventListener('storage', chooseAsOthers)
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
      stopWatching()
      window.removeEventListener('storage', chooseAsOthers)
    },
  }
}
