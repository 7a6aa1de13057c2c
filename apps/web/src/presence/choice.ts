import { type ChosenStatus, chosenStatuses } from '@foyer/protocol/presence'

const KEY = 'foyer.presence'

/** Reads the status this browser's user chose. It is stored so that an invisible user does not show up after a reload. */
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
