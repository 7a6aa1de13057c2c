import { useSyncExternalStore } from 'react'

let isThere = false
const listeners = new Set<() => void>()

/** Once the worker has a newer build than the page that is open. */
export function tellOfNewBuild(): void {
  isThere = true
  for (const listener of listeners) listener()
}

/** Whether a reload would bring a newer build. */
export function useNewBuild(): boolean {
  return useSyncExternalStore(
    (changed) => {
      listeners.add(changed)
      return () => listeners.delete(changed)
    },
    () => isThere,
  )
}
