/** Longest wait for the content, in case its messages never arrive. */
const MAX_WAIT_MS = 1500

const { promise, resolve } = Promise.withResolvers<void>()

/** Notes that the page shows its content. */
export const noteContentShown = (): void => resolve()

/** Resolves once the page shows its content. Rarely needed code waits for it, so that it does not delay the content. */
export function contentShown(): Promise<void> {
  setTimeout(resolve, MAX_WAIT_MS)
  return promise
}
