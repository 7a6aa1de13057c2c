import { setTimeout as sleep } from 'node:timers/promises'
import type { VoiceEndReason, VoiceGrant } from '@foyer/protocol/voice'
import type { Place } from '#src/channels/place.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import type { VoiceSession, WatchedSource } from '../engine.ts'
import { findHostOf, findLeastLoadedHost } from './queries.ts'

/**
 * A process of the installation that carries media: this one or another. It computes a session's rights from its voice
 * state and the current permissions, and again after each change.
 */
export interface VoiceHost {
  /**
   * Starts the media of a session whose state is committed.
   * @throws ApiError voice_unavailable; missing_permission, unknown_room or unknown_voice_session if the user may no
   * longer be there
   */
  join(session: VoiceSession): Promise<VoiceGrant>
  /**
   * @param offer SDP
   * @returns the answer, as SDP
   * @throws ApiError invalid_offer, unknown_voice_session, voice_unavailable
   */
  signal(sessionId: string, offer: string): Promise<string>
  /**
   * Sets the pictures that the session receives. Does nothing for an unknown session.
   * @throws ApiError voice_unavailable
   */
  watch(sessionId: string, watched: readonly WatchedSource[]): Promise<void>
  /**
   * Recomputes the session's rights. Resolves when its media applies them. Does nothing for an unknown session.
   * @throws ApiError voice_unavailable
   */
  refresh(sessionId: string): Promise<void>
  /**
   * Ends the session's media without a notification. Does nothing for an unknown session.
   * @throws ApiError voice_unavailable
   */
  kick(sessionId: string, reason: VoiceEndReason): Promise<void>
  /**
   * Opens a connection without a session, to test whether media gets through.
   * @param offer SDP
   * @returns the answer, as SDP
   * @throws ApiError invalid_offer, voice_unavailable
   */
  check(userId: string, offer: string): Promise<string>
}

export interface VoiceHostsDeps {
  /** Id of this process as a host. */
  processId: string
  /** Undefined for a process without the voice service. */
  local: VoiceHost | undefined
  /** Returns another process as a host; undefined if there is only one process. */
  remote: ((hostId: string) => VoiceHost) | undefined
}

/** Time that a join waits for a process that carries voice, such as one that is being restarted. */
const MAX_HOST_WAIT_MS = 5000
const HOST_POLL_MS = 200

/** Chooses and finds the process that carries a session. */
export class VoiceHosts {
  readonly #deps: VoiceHostsDeps
  #gone: ReadonlySet<string> = new Set()
  #asking: Promise<string | undefined> | undefined

  constructor(deps: VoiceHostsDeps) {
    this.#deps = deps
  }

  /**
   * Returns the host for a join: the current host of the place, else this process, else the host with the fewest
   * sessions.
   * @param transaction the transaction that writes the state. It holds the place's lock, so that no other join chooses
   * a host
   * @throws ApiError voice_unavailable if there is no host
   */
  async choose(transaction: Queryable, place: Place): Promise<string> {
    const { processId, local, remote } = this.#deps
    if (remote === undefined && local !== undefined) return processId
    const chosen =
      (await findHostOf(transaction, place)) ??
      (local === undefined ? await findLeastLoadedHost(transaction) : processId)
    if (chosen === undefined) throw new ApiError('voice_unavailable')
    return chosen
  }

  /**
   * Waits until a process carries voice, for at most MAX_HOST_WAIT_MS. Joins call this before their transaction, which
   * holds locks.
   */
  async waitForHost(database: Queryable): Promise<void> {
    if (this.#deps.local !== undefined) return
    const deadline = performance.now() + MAX_HOST_WAIT_MS
    while ((await this.#findHost(database)) === undefined && performance.now() < deadline)
      await sleep(HOST_POLL_MS, undefined, { ref: false })
  }

  /**
   * Returns this process if it carries media, or else the host with the fewest sessions.
   * @throws ApiError voice_unavailable if there is no host
   */
  async anyHost(database: Queryable): Promise<VoiceHost> {
    const { processId, local } = this.#deps
    const hostId = local === undefined ? await findLeastLoadedHost(database) : processId
    if (hostId === undefined) throw new ApiError('voice_unavailable')
    return this.hostFor(hostId)
  }

  /** Returns the host with that id, local or remote. */
  hostFor(hostId: string): VoiceHost {
    const { processId, local, remote } = this.#deps
    if (hostId === processId) return local ?? goneHost
    return this.#gone.has(hostId) ? goneHost : (remote?.(hostId) ?? goneHost)
  }

  /** Treats these hosts as ended until the next call, so that no request waits for them. */
  markGone(hostIds: ReadonlySet<string>): void {
    this.#gone = hostIds
  }

  /** Shares one query among all waiting joins: when a process ends, all of its users join again at once. */
  #findHost(database: Queryable): Promise<string | undefined> {
    this.#asking ??= findLeastLoadedHost(database).finally(() => {
      this.#asking = undefined
    })
    return this.#asking
  }
}

/** A host that no longer runs, such as the host of a voice state from before a restart. */
const goneHost: VoiceHost = {
  join: () => refuse(),
  signal: () => refuse(),
  watch: async () => undefined,
  refresh: async () => undefined,
  kick: async () => undefined,
  check: () => refuse(),
}

async function refuse(): Promise<never> {
  throw new ApiError('voice_unavailable')
}
