import { ApiError } from '#src/kernel/errors.ts'

/** The specification: a search that takes longer is given up. */
export const MAX_SEARCH_MS = 5000

/**
 * What is waited for, as long as there is time. It goes on afterwards, and nobody hears of it.
 * @param deadline on the clock of `performance.now()`
 * @throws ApiError 503 past the deadline
 */
export async function inTime<T>(deadline: number, awaited: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new ApiError('search_timeout')), deadline - performance.now())
  return Promise.race([awaited, late]).finally(() => clearTimeout(timer))
}
