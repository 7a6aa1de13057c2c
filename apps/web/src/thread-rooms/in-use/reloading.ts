/**
 * Returns a function that loads something once more. Calls during a load, such as one for each of hundreds of rooms that became
 * visible, lead to a single further one.
 * @param load is asked to end early once `isStale` returns true. Errors are ignored: the next call loads again.
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
