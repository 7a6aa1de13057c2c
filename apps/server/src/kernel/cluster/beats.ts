import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'

const PREFIX = 'beat '

/** Sent by each process twice a second. */
const Beat = Type.Object({
  process_id: Type.String(),
  /** Time of sending: `wall` in milliseconds since 1970, `monotonic` by the sender's own `performance.now()`. */
  wall: Type.Number(),
  monotonic: Type.Number(),
  /** Time since which some committed events could not be published, in milliseconds since 1970. */
  lost_since: Type.Union([Type.Number(), Type.Null()]),
  /** True for the last beat of a process, with nothing left to publish. */
  is_leaving: Type.Boolean(),
})
export type Beat = Static<typeof Beat>

export function encodeBeat(beat: Beat): string {
  return `${PREFIX}${JSON.stringify(beat)}`
}

/**
 * Parses a beat. Returns undefined for other payloads.
 * @throws Error for an unreadable beat
 */
export function parseBeat(payload: string): Beat | undefined {
  if (!payload.startsWith(PREFIX)) return undefined
  const beat: unknown = JSON.parse(payload.slice(PREFIX.length))
  if (Check(Beat, beat)) return beat
  throw new Error('a beat of another process cannot be read')
}
