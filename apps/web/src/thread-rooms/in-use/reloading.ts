/**
 * Returns a function that calls `load`. Calls during a load, such as one for each of hundreds of rooms that became visible, cause
 * only one further load.
 * @param load should end early once `isStale` returns true. Errors are ignored: the next call loads again.
 */
export function reloading(load: (isStale: () => boolean) => Promise<void>): () => Promise<void> {
  let isWanted = false
  let isLoading = false
  return async () => {
    isWanted = true
    if (isLoading) return
    isLoading = true
    while (isWanted) {
      isWanted = false
      await load(() => isWanted).catch(() => undefined)
    }
    isLoading = false
  }
}
