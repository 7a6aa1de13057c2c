import { ApiError } from './errors.ts'

/** Latest time with a year of four digits. PostgreSQL rejects the ISO 8601 text of later years. */
const LAST_TIME_MS = Date.parse('9999-12-31T23:59:59.999Z')

/**
 * Returns a future time as ISO 8601 in UTC. Returns null for null and for a past time.
 * @param field name for the error message
 * @throws ApiError 400 for a time that matches the format but does not exist
 */
export function futureTime(field: string, given: string | null): string | null {
  if (given === null) return null
  const time = Date.parse(given)
  if (Number.isNaN(time)) throw new ApiError('invalid_request', `${field} must be a valid date-time`)
  return time > Date.now() ? new Date(Math.min(time, LAST_TIME_MS)).toISOString() : null
}
