import type { Beat } from './beats.ts'
import type { CutOff } from './cut-off-queries.ts'

/** A process without beats for this long counts as ended. */
const MAX_SILENCE_MS = 2000
/** If a beat takes this much longer than its sender's quickest beat, the sender's events are late, too. */
const MAX_LATE_MS = 1000
/** Messages delayed while their sender was silent arrive within this time after its return. */
const RETURN_MS = 10_000
/** Largest change of `apart` that is drift. After a larger one, a clock was set, and earlier beats no longer count. */
const MAX_DRIFT_MS = 1000
/** Number of clocks remembered: more than the processes of several days. */
const MAX_CLOCKS = 1000
/** Duration of a doubt. A process that fell silent, or is received late, may remain so for this long. */
const DOUBT_MS = 60_000

interface Neighbour {
  /** Start of the current period without silence, and time of the last beat, by `performance.now()`. */
  since: number
  lastBeatAt: number
  /** Clock of the process, from which its journal ids are made. */
  wall: number
  lostSince: number | null
}

/** Maximum rate at which NTP adjusts a clock, in milliseconds per millisecond. Without NTP, clocks drift more slowly. */
const MAX_SLEW = 0.0005

interface Clock {
  /** Our clock minus the sender's, in milliseconds: the smallest observed difference, from the quickest beat. */
  leastBehindMs: number
  /** The sender's start time minus ours, each by its own clock, in milliseconds. */
  apart: number
  /** Reading of `performance.now()`. */
  lastBeatAt: number
}

/** Events of a process that may be unpublished: those from `since` on (milliseconds since 1970). The journal has them. */
export interface Silence {
  since: number
  /** The process that ended; undefined for one that is still running. */
  endedId: string | undefined
}

/** The other processes of the installation, as known from their beats. */
export class Neighbours {
  readonly #known = new Map<string, Neighbour>()
  /** Clocks by process id. Includes processes that are silent now, because their messages may still arrive. */
  readonly #clocks = new Map<string, Clock>()
  /** Processes that no other process receives, by id: since when, in milliseconds since 1970. */
  #cutOff: ReadonlyMap<string, number> = new Map()
  #lastDoubtedAt = Number.NEGATIVE_INFINITY

  get size(): number {
    return this.#known.size
  }

  /** @returns the events that the sender could not publish, or that are late */
  receive(beat: Beat): Silence | undefined {
    const { process_id: id, wall, lost_since: lostSince } = beat
    const before = this.#known.get(id)
    const lateMs = this.#noteClock(beat)
    const receivedAt = performance.now()
    if (beat.is_leaving) this.#known.delete(id)
    else this.#known.set(id, { since: before?.since ?? receivedAt, lastBeatAt: receivedAt, wall, lostSince })
    if (lostSince !== null && lostSince !== before?.lostSince) return { since: lostSince, endedId: undefined }
    return before !== undefined && lateMs > MAX_LATE_MS ? this.#doubt(before.wall) : undefined
  }

  /** @returns the beat's extra delay in milliseconds, compared with its sender's quickest beat */
  #noteClock({ process_id: id, wall, monotonic }: Beat): number {
    const behindMs = Date.now() - wall
    const apart = wall - monotonic - (Date.now() - performance.now())
    const before = this.#clocks.get(id)
    const isSame = before !== undefined && Math.abs(before.apart - apart) < MAX_DRIFT_MS
    const receivedAt = performance.now()
    const slewMs = isSame ? (receivedAt - before.lastBeatAt) * MAX_SLEW : 0
    const leastBehindMs = isSame ? Math.min(before.leastBehindMs + slewMs, behindMs) : behindMs
    this.#clocks.delete(id)
    this.#clocks.set(id, { leastBehindMs, apart, lastBeatAt: receivedAt })
    const [oldest] = this.#clocks.keys()
    if (this.#clocks.size > MAX_CLOCKS && oldest !== undefined) this.#clocks.delete(oldest)
    return behindMs - leastBehindMs
  }

  /**
   * Returns how many milliseconds the clock of a process is behind ours, if the process is or was just silent: its
   * messages, whose ids come from its clock, may be old. Undefined for all other processes.
   */
  returning(id: string): number | undefined {
    const now = performance.now()
    const since = this.#known.get(id)?.since ?? now
    return now - since > RETURN_MS ? undefined : this.#clocks.get(id)?.leastBehindMs
  }

  /**
   * Takes the processes that announced in the database that they are cut off. They stay in doubt while they are listed.
   * @param cutOff undefined if the query failed
   * @returns the earliest start of new entries; one value for all, since there are many when Valkey comes back
   */
  receiveCutOff(cutOff: readonly CutOff[] | undefined): number | undefined {
    if (cutOff === undefined) return undefined
    if (cutOff.length > 0) this.#lastDoubtedAt = performance.now()
    const known = this.#cutOff
    this.#cutOff = new Map(cutOff.map(({ id, lost_since }) => [id, lost_since]))
    const added = cutOff.filter(({ id, lost_since }) => known.get(id) !== lost_since)
    return added.length === 0 ? undefined : Math.min(...added.map(({ lost_since }) => lost_since))
  }

  /** Starts or extends the period of doubt, in which the journal is read repeatedly. Returns undefined if it only extends it. */
  #doubt(since: number): Silence | undefined {
    const wasInDoubt = this.isAnyInDoubt()
    this.#lastDoubtedAt = performance.now()
    return wasInDoubt ? undefined : { since, endedId: undefined }
  }

  /** Removes and returns the processes without a beat for MAX_SILENCE_MS. */
  takeSilent(): Silence[] {
    const now = performance.now()
    const silent = [...this.#known].filter(([, { lastBeatAt }]) => now - lastBeatAt > MAX_SILENCE_MS)
    for (const [id] of silent) this.#known.delete(id)
    if (silent.length > 0) this.#lastDoubtedAt = now
    return silent.map(([endedId, { wall }]) => ({ since: wall, endedId }))
  }

  /** Returns whether events to or from some process may be lost or late. */
  isAnyInDoubt(): boolean {
    return performance.now() - this.#lastDoubtedAt < DOUBT_MS
  }

  /** Resets the silence timers. Called while nothing is received from any process, so that none counts as silent. */
  excuse(): void {
    const receivedAt = performance.now()
    for (const neighbour of this.#known.values()) neighbour.lastBeatAt = receivedAt
  }
}
