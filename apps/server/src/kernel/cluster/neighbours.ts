import type { Beat } from './beats.ts'

/** Whose beats end is taken for dead. */
const MAX_SILENCE_MS = 2000
/** Who fell silent may still be there, and be heard by nobody here. */
const DOUBT_MS = 60_000

interface Neighbour {
  heardAt: number
  /** Its clock, by which its journal ids are made. */
  wall: number
  lostSince: number | null
}

/** What may have been committed and not been published: it is in the journal since then, in milliseconds since 1970. */
export interface Silence {
  since: number
  /** The process that ended with it; undefined for one that goes on. */
  endedId: string | undefined
}

/** The other processes of the installation, as far as their beats are heard. */
export class Neighbours {
  readonly #known = new Map<string, Neighbour>()
  #fellSilentAt = Number.NEGATIVE_INFINITY

  get size(): number {
    return this.#known.size
  }

  /** @returns what it says that it could not publish */
  hear(beat: Beat): Silence | undefined {
    const { process_id: id, wall, lost_since: lostSince } = beat
    const before = this.#known.get(id)
    if (beat.is_leaving) this.#known.delete(id)
    else this.#known.set(id, { heardAt: performance.now(), wall, lostSince })
    const isNew = lostSince !== null && lostSince !== before?.lostSince
    return isNew ? { since: lostSince, endedId: undefined } : undefined
  }

  /** Those whose beats have ended since the last time. */
  takeSilent(): Silence[] {
    const now = performance.now()
    const silent = [...this.#known].filter(([, { heardAt }]) => now - heardAt > MAX_SILENCE_MS)
    for (const [id] of silent) this.#known.delete(id)
    if (silent.length > 0) this.#fellSilentAt = now
    return silent.map(([endedId, { wall }]) => ({ since: wall, endedId }))
  }

  /** Whether there may be somebody who hears nothing that is published, and whom nobody hears. */
  isAnyInDoubt(): boolean {
    return performance.now() - this.#fellSilentAt < DOUBT_MS
  }

  /** While nothing is heard of anybody, nobody is silent. */
  excuse(): void {
    const heardAt = performance.now()
    for (const neighbour of this.#known.values()) neighbour.heardAt = heardAt
  }
}
