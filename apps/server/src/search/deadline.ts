import { ApiError } from '#src/kernel/errors.ts'

/** Maximum duration of a search, as specified. */
export const MAX_SEARCH_MS = 5000

/**
 * Waits for a promise until the deadline. After that, the work continues but its result is ignored.
 * @param deadline on the clock of `performance.now()`
 * @throws ApiError 503 after the deadline
 */
export async function inTime<T>(deadline: number, awaited: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new ApiError('search_timeout')), deadline - performance.now())
  return Promise.race([awaited, late]).finally(() => clearTimeout(timer))
}
