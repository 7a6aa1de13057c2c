import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'

const PREFIX = 'beat '

/** What a process tells of itself, twice a second. */
const Beat = Type.Object({
  process_id: Type.String(),
  /** When it was sent, in milliseconds since 1970, and of the sender's own `performance.now()`. */
  wall: Type.Number(),
  monotonic: Type.Number(),
  /** Since when it could not publish some of what it committed, in milliseconds since 1970. */
  lost_since: Type.Union([Type.Number(), Type.Null()]),
  /** It ends, with nothing left to tell. */
  is_leaving: Type.Boolean(),
})
export type Beat = Static<typeof Beat>

export function encodeBeat(beat: Beat): string {
  return `${PREFIX}${JSON.stringify(beat)}`
}

/**
 * The beat, or undefined for a payload that is something else.
 * @throws Error for one that cannot be read
 */
export function parseBeat(payload: string): Beat | undefined {
  if (!payload.startsWith(PREFIX)) return undefined
  const beat: unknown = JSON.parse(payload.slice(PREFIX.length))
  if (Check(Beat, beat)) return beat
  throw new Error('a beat of another process cannot be read')
}
