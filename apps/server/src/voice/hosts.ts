import type { VoiceEndReason, VoiceGrant } from '@foyer/protocol/voice'
import type { Place } from '#src/channels/place.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { Queryable } from '#src/kernel/sql.ts'
import type { VoiceSession } from './engine.ts'
import { findHostOf, findLeastLoadedHost } from './hosts-queries.ts'

/**
 * A process that carries media: this one, or another one of the installation. It works out itself what a session may, from
 * its state and the permissions as they are now, and again whenever it hears that they changed.
 */
export interface VoiceHost {
  /**
   * Takes in a session whose state is committed.
   * @throws ApiError voice_unavailable; missing_permission, unknown_room or unknown_voice_session for who may not be there
   *   any more
   */
  join(session: VoiceSession): Promise<VoiceGrant>
  /**
   * @param offer SDP
   * @returns the answer, as SDP
   * @throws ApiError invalid_offer, unknown_voice_session, voice_unavailable
   */
  signal(sessionId: string, offer: string): Promise<string>
  /**
   * Works out anew what the session may. Resolves when its media obeys. Nothing for one that is not there.
   * @throws ApiError voice_unavailable
   */
  refresh(sessionId: string): Promise<void>
  /**
   * Ends the session's media, and tells nobody. Nothing for one that is not there.
   * @throws ApiError voice_unavailable
   */
  kick(sessionId: string, reason: VoiceEndReason): Promise<void>
  /**
   * A connection of nobody's session, to find out whether media gets through.
   * @param offer SDP
   * @returns the answer, as SDP
   * @throws ApiError invalid_offer, voice_unavailable
   */
  check(userId: string, offer: string): Promise<string>
}

export interface VoiceHostsDeps {
  /** This process, as hosts are named. */
  processId: string
  /** Undefined for a process without the service. */
  local: VoiceHost | undefined
  /** Another process; undefined for a process that is alone. */
  remote: ((hostId: string) => VoiceHost) | undefined
}

/** Which process carries whom. */
export class VoiceHosts {
  readonly #deps: VoiceHostsDeps
  #gone: ReadonlySet<string> = new Set()

  constructor(deps: VoiceHostsDeps) {
    this.#deps = deps
  }

  /**
   * The host for who joins the place: where the others are, else this process, else the one with the fewest sessions.
   * @param transaction the one that writes the state, and holds the place so that nobody else chooses for it
   * @throws ApiError voice_unavailable where there is none
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

  /** This process, else the one with the fewest sessions. @throws ApiError voice_unavailable where there is none */
  async anyHost(database: Queryable): Promise<VoiceHost> {
    const { processId, local } = this.#deps
    const hostId = local === undefined ? await findLeastLoadedHost(database) : processId
    if (hostId === undefined) throw new ApiError('voice_unavailable')
    return this.engineAt(hostId)
  }

  /** The host, as it can be asked from here. */
  engineAt(hostId: string): VoiceHost {
    const { processId, local, remote } = this.#deps
    if (hostId === processId) return local ?? nobody
    return this.#gone.has(hostId) ? nobody : (remote?.(hostId) ?? nobody)
  }

  /** These are taken for gone until this is called again: nobody waits for their answers. */
  bury(hostIds: ReadonlySet<string>): void {
    this.#gone = hostIds
  }
}

/** A host that is not there, as of a state that another start of the server left. */
const nobody: VoiceHost = {
  join: () => refuse(),
  signal: () => refuse(),
  refresh: async () => undefined,
  kick: async () => undefined,
  check: () => refuse(),
}

async function refuse(): Promise<never> {
  throw new ApiError('voice_unavailable')
}
