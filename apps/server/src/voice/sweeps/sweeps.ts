import { setTimeout as sleep } from 'node:timers/promises'
import type { VoiceEndReason } from '@foyer/protocol/voice'
import type { Logger } from 'pino'
import type { Database } from '#src/kernel/database/database.ts'
import type { VoiceHosts } from '../hosts/hosts.ts'
import {
  deleteHost,
  deleteQuietHost,
  listQuietHosts,
  MAX_HOST_SILENCE_MS,
  saveHost,
} from '../hosts/queries.ts'
import type { Endings } from '../sessions/endings.ts'
import type { Rechecks } from '../sessions/rechecks.ts'
import type { HostedSessions } from '../sessions/sessions.ts'
import {
  type CarriedSession,
  deleteSilentHosts,
  listAbandoned,
  listCarried,
  listOfOthers,
} from './queries.ts'

/** The sessions of a process, and the parts that maintain them. */
export interface Carried {
  readonly sessions: HostedSessions
  readonly reviews: Rechecks
  readonly endings: Endings
}

export interface SweepDeps {
  database: Database
  log: Logger
  processId: string
  /** Returns whether a process has a connection to Valkey; undefined if there is only one process. */
  isThere: ((processId: string) => Promise<boolean>) | undefined
  voiceHosts: VoiceHosts
  /** Undefined for a process without the voice service. */
  carried: Carried | undefined
  endSessions: (sessionIds: readonly string[], reason: VoiceEndReason) => Promise<unknown>
}

const BEAT_MS = 250
/** A process that has sent no heartbeat for this long, and has no connection to Valkey, has ended. */
const QUIET_MS = 700
/** Number of beats between two searches for sessions of ended processes. Finding an ended process starts a search, too. */
const BEATS_A_SEARCH = 2
/** Number of beats between two comparisons of states and media. */
const BEATS_A_COMPARISON = 12
const SWEPT_AT_ONCE = 500

/**
 * Announces this process to the others, and ends the sessions of processes that have ended. Their users join again on
 * another host.
 */
export class Sweeps {
  readonly #deps: SweepDeps
  readonly #closing = new AbortController()
  #running: Promise<void> = Promise.resolve()
  /** Time since which the database has answered all checks in time, by `performance.now()`. */
  #steadySince = Number.POSITIVE_INFINITY
  #lastLook = Number.NEGATIVE_INFINITY
  #beats = 0
  /** Sessions with a state and without media, as of the last comparison. */
  #silent: ReadonlySet<string> = new Set()

  constructor(deps: SweepDeps) {
    this.#deps = deps
  }

  /**
   * Resolves when this process can be given sessions. By then, a process that runs alone has ended all sessions of its previous
   * run.
   */
  async start(): Promise<void> {
    if (this.#deps.isThere === undefined) await this.#endAll()
    else await this.#beat()
    this.#running = this.#run()
  }

  /** Makes other processes end the remaining sessions immediately. */
  async close(): Promise<void> {
    const { database, log, carried, isThere, processId } = this.#deps
    this.#closing.abort()
    await this.#running
    if (isThere === undefined || carried === undefined) return
    await deleteHost(database, processId).catch((error) =>
      log.warn({ err: error }, 'a voice host could not sign off'),
    )
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing
    for (;;) {
      await sleep(BEAT_MS, undefined, { signal, ref: false }).catch(() => undefined)
      if (signal.aborted) return
      await this.#tick().catch((error) => this.#deps.log.warn({ err: error }, 'a voice sweep failed'))
    }
  }

  async #tick(): Promise<void> {
    const { isThere } = this.#deps
    this.#beats += 1
    if (isThere !== undefined) {
      await this.#beat()
      const isFound = await this.#dropQuietHosts(isThere)
      if (isFound || this.#beats % BEATS_A_SEARCH === 0) await this.#lookForAbandoned()
    }
    if (this.#beats % BEATS_A_COMPARISON === 0) await this.#compare()
  }

  async #beat(): Promise<void> {
    const { database, carried, processId } = this.#deps
    if (carried !== undefined) await saveHost(database, processId, carried.sessions.size)
  }

  /**
   * Deletes hosts that have ended. Without Valkey, nothing is known about other processes, so they count as running.
   * @returns true if there were any
   */
  async #dropQuietHosts(isThere: NonNullable<SweepDeps['isThere']>): Promise<boolean> {
    const { database } = this.#deps
    let isAnyGone = false
    for (const hostId of await listQuietHosts(database, QUIET_MS))
      if (!(await isThere(hostId).catch(() => true))) {
        await deleteQuietHost(database, hostId, QUIET_MS)
        isAnyGone = true
      }
    return isAnyGone
  }

  async #lookForAbandoned(): Promise<void> {
    const { database, voiceHosts } = this.#deps
    const found = await listAbandoned(database, SWEPT_AT_ONCE)
    const abandoned = this.#isSteady() ? found : []
    // Requests to these hosts fail immediately from now on.
    voiceHosts.markGone(new Set(abandoned.map(({ host_id }) => host_id)))
    if (abandoned.length > 0) await this.#sweep(abandoned)
  }

  /** Returns whether silence can be trusted: after an outage of the database, or a pause here, all hosts seem silent. */
  #isSteady(): boolean {
    const now = performance.now()
    if (now - this.#lastLook > MAX_HOST_SILENCE_MS / 2) this.#steadySince = now
    this.#lastLook = now
    return now - this.#steadySince > MAX_HOST_SILENCE_MS
  }

  async #sweep(abandoned: readonly CarriedSession[]): Promise<void> {
    const { database, log, endSessions } = this.#deps
    const hosts = [...new Set(abandoned.map(({ host_id }) => host_id))]
    log.warn({ hosts, sessions: abandoned.length }, 'a voice host is gone')
    await endSessions(
      abandoned.map(({ session_id }) => session_id),
      'failed',
    )
    await deleteSilentHosts(database, MAX_HOST_SILENCE_MS)
  }

  async #endAll(): Promise<void> {
    const { database, processId, endSessions } = this.#deps
    for (;;) {
      const left = await listOfOthers(database, processId, SWEPT_AT_ONCE)
      if (left.length === 0) return
      await endSessions(
        left.map(({ session_id }) => session_id),
        'failed',
      )
    }
  }

  /** Repairs any difference between states and media. */
  async #compare(): Promise<void> {
    const { database, carried, processId } = this.#deps
    if (carried === undefined) return
    const { sessions, reviews, endings } = carried
    const hosted = sessions.all()
    const states = new Set(await listCarried(database, processId))
    const silent = [...states].filter((id) => sessions.find(id) === undefined)
    // A state is committed a moment before its media begins, so a session must be found without media twice before
    // it is ended.
    const ended = silent.filter((id) => this.#silent.has(id))
    this.#silent = new Set(silent)
    endings.add(ended, 'failed')
    await reviews.recheck(hosted.filter(({ session }) => !states.has(session.id)))
  }
}
