import { ApiError } from '#src/kernel/errors.ts'

/** Matches a time. An unencoded plus in a query arrives as a space, so a space counts as a plus. */
const TIME =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,12}))?)?(?:[Zz]|([+\- ])(\d\d):?(\d\d)?)?)?$/

const MINUTE_MS = 60_000

/** A point in time, which may lie between two milliseconds. */
export interface TimeBound {
  /** The last millisecond at or before it, since 1970. */
  floor: number
  /** The first millisecond at or after it, since 1970. */
  ceil: number
}

/**
 * Reads an ISO 8601 time: a date, which means its midnight, or a date with a time. Without an offset it is UTC.
 * @param name the parameter's name, for the error
 * @throws ApiError 400 for an invalid time
 */
export function readTime(name: string, text: string): TimeBound {
  const match = TIME.exec(text)
  if (match === null) throw noTime(name)
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(asNumber)
  const [sign, offsetHour = 0, offsetMinute = 0] = [match[8], ...match.slice(9, 11).map(asNumber)]
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  const isDate = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  // A leap second is read as the following second.
  const isTime = hour <= 23 && minute <= 59 && second <= 60 && offsetHour <= 23 && offsetMinute <= 59
  if (!isDate || !isTime) throw noTime(name)
  const offset = (offsetHour * 60 + offsetMinute) * MINUTE_MS * (sign === '-' ? -1 : 1)
  const fraction = (match[7] ?? '').padEnd(3, '0')
  const floor =
    date.getTime() + ((hour * 60 + minute) * 60 + second) * 1000 + asNumber(fraction.slice(0, 3)) - offset
  return { floor, ceil: /[1-9]/.test(fraction.slice(3)) ? floor + 1 : floor }
}

function asNumber(digits: string | undefined): number {
  return Number(digits ?? 0)
}

function noTime(name: string): ApiError {
  return new ApiError('invalid_request', `${name} must be an ISO 8601 time`)
}
