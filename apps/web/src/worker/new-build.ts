import { useSyncExternalStore } from 'react'

let isThere = false
const listeners = new Set<() => void>()

/** Call this when the worker has a newer build than the open page. */
export function reportNewBuild(): void {
  isThere = true
  for (const listener of listeners) listener()
}

/** True if a reload would load a newer build. */
export function useNewBuild(): boolean {
  return useSyncExternalStore(
    (changed) => {
      listeners.add(changed)
      return () => listeners.delete(changed)
    },
    () => isThere,
  )
}
