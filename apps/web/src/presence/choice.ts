import { type ChosenStatus, chosenStatuses } from '@foyer/protocol/presence'

const KEY = 'foyer.presence'

/** How this browser's user wants to be seen; kept, so that who hides is not seen for a moment after a reload. */
export function chosenStatus(storage: Pick<Storage, 'getItem'>): ChosenStatus {
  const kept = storage.getItem(KEY)
  return chosenStatuses.find((status) => status === kept) ?? 'online'
}

export function keepStatus(storage: Pick<Storage, 'setItem'>, status: ChosenStatus): void {
  storage.setItem(KEY, status)
}

export function forgetStatus(storage: Pick<Storage, 'removeItem'>): void {
  storage.removeItem(KEY)
}
