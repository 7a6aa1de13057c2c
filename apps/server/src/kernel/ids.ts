import { createHash, randomBytes, randomUUID } from 'node:crypto'

/** The canonical form of an id. Another spelling would be another key in caches and limits. */
export const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** The form clients may write, in upper or lower case. It is converted to lower case before use. */
export const WRITTEN_UUID = new RegExp(UUID, 'i')

let lastTime = 0
let counter = 0

/**
 * Returns a UUID of version 7 that is greater than every id this process made before.
 * Source: RFC 9562, section 6.2, method 1: the 12 bits after the time are a counter within the millisecond.
 */
export function newId(): string {
  tick()
  const time = lastTime.toString(16).padStart(12, '0')
  const count = counter.toString(16).padStart(3, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${count}-${randomUUID().slice(19)}`
}

/** Maximum by which another process's clock may be ahead. A clock further ahead is wrong, so its ids are not followed. */
const MAX_AHEAD_MS = 5000

/**
 * Makes this process's later ids greater than an id of another process. Work that follows a received event is ordered after it,
 * even if clocks differ. Source: Lamport, Time, Clocks, and the Ordering of Events in a Distributed System, 1978.
 */
export function followId(id: string): void {
  const time = idTime(id)
  if (time < lastTime || time > Date.now() + MAX_AHEAD_MS) return
  const count = Number.parseInt(id.slice(15, 18), 16)
  counter = time === lastTime ? Math.max(counter, count) : count
  lastTime = time
}

/**
 * Advances time and counter. They only go forward, even if the clock goes back or a millisecond's counter is used
 * up.
 */
function tick() {
  const now = Date.now()
  if (now > lastTime) {
    lastTime = now
    counter = 0
    return
  }
  counter = (counter + 1) & 0xfff
  if (counter === 0) lastTime += 1
}

/** Returns the time in a UUID of version 7, in milliseconds since 1970. */
export function idTime(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)
}

/** Returns the smallest UUID of version 7 at a time, in milliseconds since 1970. */
export function firstIdAt(time: number): string {
  const hex = Math.max(0, Math.floor(time)).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

/** Returns 256 random bits as base64url, for a token of which only the hash (`hashToken`) is stored. */
export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
