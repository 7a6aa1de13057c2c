import pg from 'pg'
import { ApiError } from '#src/kernel/errors.ts'

/** Maximum duration of a search, as specified. */
export const MAX_SEARCH_MS = 5000
const QUERY_CANCELED = '57014'

/**
 * Waits for a promise until the deadline. After that, the work continues but its result is ignored.
 * @param deadline on the clock of `performance.now()`
 * @throws ApiError 503 after the deadline, also if PostgreSQL ends a statement of the work first
 */
export async function inTime<T>(deadline: number, awaited: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new ApiError('search_timeout')), deadline - performance.now())
  try {
    return await Promise.race([awaited, late])
  } catch (error) {
    throw isCanceled(error) ? new ApiError('search_timeout') : error
  } finally {
    clearTimeout(timer)
  }
}

/** Returns whether PostgreSQL ended a statement, as it does after a time limit. */
export function isCanceled(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === QUERY_CANCELED
}
