import type { PictureCodec } from '@foyer/protocol/voice'
import type { Place } from '#src/channels/place.ts'
import type { MediaRights, PictureChange, SlotChange, VoiceSession } from '../engine.ts'

/** A session whose media this process carries, or is about to carry. */
export interface HostedSession {
  readonly session: VoiceSession
  /** The rights that the media applies; undefined until the engine has admitted the session. */
  rights: MediaRights | undefined
  /** True if the rights changed while the engine was admitting the session. */
  isOutdated: boolean
  /** The end of its member's timeout, in ms since 1970. */
  timeoutEnd: number | undefined
  /** Users in its slots, as sent to its client. */
  readonly slots: Map<number, string | undefined>
  /** Pictures in its slots, as sent to its client. `sounds` holds the users whose screen audio it receives. */
  readonly pictures: Map<number, PictureChange>
  readonly sounds: Map<number, SlotChange>
  /** Codecs in which it may send pictures, as sent to its client; undefined if its client was sent none yet. */
  codecs: readonly PictureCodec[] | undefined
}

/** The sessions carried by this process, with an index for everything whose end or change can end a session. */
export class HostedSessions {
  readonly #byId = new Map<string, HostedSession>()
  readonly #byTenant = new Index()
  readonly #byChannel = new Index()
  readonly #byUser = new Index()
  readonly #byLogin = new Index()

  get size(): number {
    return this.#byId.size
  }

  all(): HostedSession[] {
    return [...this.#byId.values()]
  }

  find(sessionId: string): HostedSession | undefined {
    return this.#byId.get(sessionId)
  }

  has(hosted: HostedSession): boolean {
    return this.#byId.get(hosted.session.id) === hosted
  }

  ofTenant(tenantId: string): readonly HostedSession[] {
    return this.#byTenant.find(tenantId)
  }

  inPlace({ channelId }: Pick<Place, 'channelId'>): readonly HostedSession[] {
    return this.#byChannel.find(channelId)
  }

  ofUser(userId: string): readonly HostedSession[] {
    return this.#byUser.find(userId)
  }

  ofLogin(loginId: string): readonly HostedSession[] {
    return this.#byLogin.find(loginId)
  }

  add(session: VoiceSession): HostedSession {
    const state = { rights: undefined, isOutdated: false, timeoutEnd: undefined, codecs: undefined }
    const hosted: HostedSession = { session, ...state, slots: new Map(), ...newPictures() }
    this.#byId.set(session.id, hosted)
    for (const [index, key] of this.#placesOf(session)) index.add(key, hosted)
    return hosted
  }

  /** @returns false if the session had already been removed */
  remove(hosted: HostedSession): boolean {
    if (!this.has(hosted)) return false
    this.#byId.delete(hosted.session.id)
    for (const [index, key] of this.#placesOf(hosted.session)) index.remove(key, hosted)
    return true
  }

  #placesOf({ userId, loginId, place }: VoiceSession): (readonly [Index, string])[] {
    return [
      [this.#byTenant, place.tenantId],
      [this.#byChannel, place.channelId],
      [this.#byUser, userId],
      [this.#byLogin, loginId],
    ]
  }
}

function newPictures(): Pick<HostedSession, 'pictures' | 'sounds'> {
  return { pictures: new Map(), sounds: new Map() }
}

class Index {
  readonly #sets = new Map<string, Set<HostedSession>>()

  find(key: string): readonly HostedSession[] {
    return [...(this.#sets.get(key) ?? [])]
  }

  add(key: string, hosted: HostedSession): void {
    const set = this.#sets.get(key) ?? new Set()
    this.#sets.set(key, set.add(hosted))
  }

  remove(key: string, hosted: HostedSession): void {
    const set = this.#sets.get(key)
    set?.delete(hosted)
    if (set?.size === 0) this.#sets.delete(key)
  }
}
