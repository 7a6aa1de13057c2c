import type { Beat } from './beats.ts'
import type { CutOff } from './cut-off-queries.ts'

/** Whose beats end is taken for dead. */
const MAX_SILENCE_MS = 2000
/** Beats that are on their way for longer than others come with what their sender commits: late. */
const MAX_LATE_MS = 1000
/** What waited on the way while its sender was silent comes within this time after it is heard again. */
const RETURN_MS = 10_000
/** Of a clock that was set, here or there, the time since its process began says it. */
const MAX_DRIFT_MS = 1000
/** As many are remembered as processes come and go in days. */
const MAX_CLOCKS = 1000
/** Who fell silent, or is heard late, may go on like that. */
const DOUBT_MS = 60_000

interface Neighbour {
  /** Since when it is heard without a silence, and when it was last; of `performance.now()`. */
  since: number
  heardAt: number
  /** Its clock, by which its journal ids are made. */
  wall: number
  lostSince: number | null
}

/** A clock that is wrong is made right so fast, of one, at most: by NTP. Without it, it goes wrong more slowly. */
const MAX_SLEW = 0.0005

interface Clock {
  /** By how much it was behind ours when a beat was on its way for the shortest time. */
  leastBehindMs: number
  /** By how much later it began, by its clock, than this process by ours. */
  apart: number
  /** By `performance.now()`. */
  heardAt: number
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
  /** Also of those who are silent now: what they said may still be on its way. */
  readonly #clocks = new Map<string, Clock>()
  /** Who is cut off, and since when. */
  #cutOff: ReadonlyMap<string, number> = new Map()
  #lastDoubtedAt = Number.NEGATIVE_INFINITY

  get size(): number {
    return this.#known.size
  }

  /** @returns what it says that it could not publish, or what comes late */
  hear(beat: Beat): Silence | undefined {
    const { process_id: id, wall, lost_since: lostSince } = beat
    const before = this.#known.get(id)
    const lateMs = this.#noteClock(beat)
    const heardAt = performance.now()
    if (beat.is_leaving) this.#known.delete(id)
    else this.#known.set(id, { since: before?.since ?? heardAt, heardAt, wall, lostSince })
    if (lostSince !== null && lostSince !== before?.lostSince) return { since: lostSince, endedId: undefined }
    return before !== undefined && lateMs > MAX_LATE_MS ? this.#doubt(before.wall) : undefined
  }

  /** @returns for how much longer than the quickest one it was on its way */
  #noteClock({ process_id: id, wall, monotonic }: Beat): number {
    const behindMs = Date.now() - wall
    const apart = wall - monotonic - (Date.now() - performance.now())
    const before = this.#clocks.get(id)
    const isSame = before !== undefined && Math.abs(before.apart - apart) < MAX_DRIFT_MS
    const heardAt = performance.now()
    const slewMs = isSame ? (heardAt - before.heardAt) * MAX_SLEW : 0
    const leastBehindMs = isSame ? Math.min(before.leastBehindMs + slewMs, behindMs) : behindMs
    this.#clocks.delete(id)
    this.#clocks.set(id, { leastBehindMs, apart, heardAt })
    const [oldest] = this.#clocks.keys()
    if (this.#clocks.size > MAX_CLOCKS && oldest !== undefined) this.#clocks.delete(oldest)
    return behindMs - leastBehindMs
  }

  /**
   * For a process that is silent, or was a moment ago, and may be heard saying what it said long before: by how much its
   * clock, which is that of its ids, is behind ours. Undefined for all others.
   */
  returning(id: string): number | undefined {
    const now = performance.now()
    const since = this.#known.get(id)?.since ?? now
    return now - since > RETURN_MS ? undefined : this.#clocks.get(id)?.leastBehindMs
  }

  /**
   * Who says in the database that nobody can hear it: it is in doubt for as long.
   * @param cutOff undefined when that could not be asked
   * @returns since when those did something who were not known to be; one for all, who are many when Valkey comes back
   */
  hearCutOff(cutOff: readonly CutOff[] | undefined): number | undefined {
    if (cutOff === undefined) return undefined
    if (cutOff.length > 0) this.#lastDoubtedAt = performance.now()
    const known = this.#cutOff
    this.#cutOff = new Map(cutOff.map(({ id, lost_since }) => [id, lost_since]))
    const added = cutOff.filter(({ id, lost_since }) => known.get(id) !== lost_since)
    return added.length === 0 ? undefined : Math.min(...added.map(({ lost_since }) => lost_since))
  }

  /** Once for all that is in doubt at a time: until it is over, the journal is read again and again. */
  #doubt(since: number): Silence | undefined {
    const wasInDoubt = this.isAnyInDoubt()
    this.#lastDoubtedAt = performance.now()
    return wasInDoubt ? undefined : { since, endedId: undefined }
  }

  /** Those whose beats have ended since the last time. */
  takeSilent(): Silence[] {
    const now = performance.now()
    const silent = [...this.#known].filter(([, { heardAt }]) => now - heardAt > MAX_SILENCE_MS)
    for (const [id] of silent) this.#known.delete(id)
    if (silent.length > 0) this.#lastDoubtedAt = now
    return silent.map(([endedId, { wall }]) => ({ since: wall, endedId }))
  }

  /** Whether there may be somebody who hears nothing that is published, and whom nobody hears, or hears late. */
  isAnyInDoubt(): boolean {
    return performance.now() - this.#lastDoubtedAt < DOUBT_MS
  }

  /** While nothing is heard of anybody, nobody is silent. */
  excuse(): void {
    const heardAt = performance.now()
    for (const neighbour of this.#known.values()) neighbour.heardAt = heardAt
  }
}
