import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'

/** Whose beats end is taken for dead. */
const MAX_SILENCE_MS = 2000

/** What a process tells of itself, twice a second. */
export const Beat = Type.Object({
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

/** @throws Error for what is none */
export function parseBeat(text: string): Beat {
  const beat: unknown = JSON.parse(text)
  if (Check(Beat, beat)) return beat
  throw new Error('a beat of another process cannot be read')
}

interface Neighbour {
  heardAt: number
  /** Its clock, by which its journal ids are made. */
  wall: number
  lostSince: number | null
}

/** What may have been committed and not been published: it is in the journal since then, in milliseconds since 1970. */
export interface Loss {
  since: number
  /** The process that ended with it; undefined for one that goes on. */
  endedId: string | undefined
}

/** The other processes of the installation, as far as their beats are heard. */
export class Neighbours {
  readonly #known = new Map<string, Neighbour>()

  get size(): number {
    return this.#known.size
  }

  /** @returns what it says that it could not publish */
  hear(beat: Beat): Loss | undefined {
    const { process_id: id, wall, lost_since: lostSince } = beat
    const before = this.#known.get(id)
    if (beat.is_leaving) this.#known.delete(id)
    else this.#known.set(id, { heardAt: performance.now(), wall, lostSince })
    const isNew = lostSince !== null && lostSince !== before?.lostSince
    return isNew ? { since: lostSince, endedId: undefined } : undefined
  }

  /** Those whose beats have ended since the last time. */
  takeSilent(): Loss[] {
    const now = performance.now()
    const silent = [...this.#known].filter(([, { heardAt }]) => now - heardAt > MAX_SILENCE_MS)
    for (const [id] of silent) this.#known.delete(id)
    return silent.map(([endedId, { wall }]) => ({ since: wall, endedId }))
  }

  /** While nothing is heard of anybody, nobody is silent. */
  excuse(): void {
    const heardAt = performance.now()
    for (const neighbour of this.#known.values()) neighbour.heardAt = heardAt
  }
}
