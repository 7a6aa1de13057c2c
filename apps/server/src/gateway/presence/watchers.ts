import type { Presence } from '@foyer/protocol/presence'
import type { Logger } from 'pino'
import { ownPresence, publicPresence, type VersionedChoice } from '#src/people/presence/choices.ts'
import type { PresenceChange, Presences } from '#src/people/presence/presences.ts'
import type { RelatedUsers } from '#src/people/presence/related-users.ts'
import type { Frame } from '../connections/frames.ts'
import type { Listeners } from '../listeners/listeners.ts'
import { isSamePresence, offlinePresence, presenceFrame } from './frames.ts'

export interface WatchersDeps {
  listeners: Listeners
  presences: Presences
  relatedUsers: RelatedUsers
  log: Logger
}

/** A user whose presence is sent to watchers on this process. */
interface Watched {
  versioned: VersionedChoice
  /** Users with connections to this process. */
  readonly watchers: Set<string>
}

/** A user with connections to this process. */
interface Watcher {
  watches: ReadonlySet<string>
  /** True until the watched users are loaded for the first time. READY contains all their presences. */
  isJoining: boolean
  isStale: boolean
  loading: Promise<void> | undefined
}

const READ_AT_ONCE = 500
const RETRY_MS = 1000

/**
 * The users on this process who receive the presence of others: friends, and members of the same conversations. The
 * cost of a change grows with the number of its watchers.
 */
export class Watchers {
  readonly #deps: WatchersDeps
  readonly #watched = new Map<string, Watched>()
  readonly #watchers = new Map<string, Watcher>()

  constructor(deps: WatchersDeps) {
    this.#deps = deps
  }

  /**
   * Starts sending presences to the user's connections.
   * @returns presences of watched users who are not offline
   */
  async join(userId: string): Promise<Presence[]> {
    const known = this.#watchers.get(userId)
    const watcher = known ?? { watches: new Set(), isJoining: true, isStale: true, loading: undefined }
    this.#watchers.set(userId, watcher)
    if (known === undefined) this.#load(userId, watcher)
    await watcher.loading
    return [...watcher.watches].flatMap((id) => this.#presenceOf(id) ?? [])
  }

  /** Called when a connection closed. It may have been the user's last on this process. */
  leave(userId: string): void {
    if (this.#deps.listeners.ofUser(userId).size > 0) return
    for (const id of this.#watchers.get(userId)?.watches ?? []) this.#unwatch(userId, id)
    this.#watchers.delete(userId)
  }

  /** Looks up again whose presence the user receives. */
  refresh(userId: string): void {
    const watcher = this.#watchers.get(userId)
    if (watcher === undefined) return
    watcher.isStale = true
    this.#load(userId, watcher)
  }

  /** Stops both users from watching each other immediately, even during look-ups. */
  separate(one: string, other: string): void {
    for (const [userId, id] of [
      [one, other],
      [other, one],
    ] as const) {
      const watcher = this.#watchers.get(userId)
      if (!watcher?.watches.has(id)) continue
      watcher.watches = new Set([...watcher.watches].filter((watchedId) => watchedId !== id))
      if (this.#presenceOf(id) !== undefined) this.#send(userId, presenceFrame(offlinePresence(id)))
      this.#unwatch(userId, id)
    }
  }

  watches(userId: string, watchedId: string): boolean {
    return this.#watched.get(watchedId)?.watchers.has(userId) ?? false
  }

  receive(change: PresenceChange): void {
    const { userId, choice, origin } = change
    const connections = this.#deps.listeners.ofUser(userId)
    const frame = connections.size > 0 ? presenceFrame(ownPresence(userId, choice)) : undefined
    for (const connection of connections)
      if (frame !== undefined && connection.id !== origin) connection.dispatch(frame, true)
    this.#apply(userId, change)
  }

  /** Reads all watched presences again, because updates may have been lost. */
  async reread(): Promise<void> {
    const ids = [...this.#watched.keys()]
    for (let from = 0; from < ids.length; from += READ_AT_ONCE)
      await this.#read(ids.slice(from, from + READ_AT_ONCE))
  }

  #load(userId: string, watcher: Watcher): void {
    watcher.loading ??= this.#loadStale(userId, watcher).catch((error) => {
      this.#deps.log.error({ err: error }, 'the watched users of a user could not be loaded')
      this.#retry(userId, watcher)
    })
  }

  /** Loads again after a delay. Otherwise, someone who is no longer a friend would be shown until the connection ends. */
  #retry(userId: string, watcher: Watcher): void {
    watcher.isStale = true
    setTimeout(() => {
      if (this.#watchers.get(userId) === watcher) this.#load(userId, watcher)
    }, RETRY_MS).unref()
  }

  async #loadStale(userId: string, watcher: Watcher): Promise<void> {
    try {
      // The user may have left during the load.
      while (watcher.isStale && this.#watchers.get(userId) === watcher) await this.#loadOnce(userId, watcher)
    } finally {
      watcher.isJoining = false
      watcher.loading = undefined
    }
  }

  async #loadOnce(userId: string, watcher: Watcher): Promise<void> {
    watcher.isStale = false
    const ids = new Set(await this.#deps.relatedUsers.find(userId))
    if (watcher.isStale || this.#watchers.get(userId) !== watcher) return
    await this.#adopt(userId, watcher, ids)
  }

  async #adopt(userId: string, watcher: Watcher, ids: ReadonlySet<string>): Promise<void> {
    const before = watcher.watches
    watcher.watches = ids
    const gone = [...before].filter((id) => !ids.has(id))
    const come = [...ids].filter((id) => !before.has(id))
    for (const id of gone) {
      if (this.#presenceOf(id) !== undefined) this.#send(userId, presenceFrame(offlinePresence(id)))
      this.#unwatch(userId, id)
    }
    const known = come.filter((id) => this.#watch(userId, id))
    for (const id of known) this.#sendPresence(userId, id)
    // Presences that are not known yet are read, and sent as changes.
    const unknown = come.filter((id) => this.#watched.get(id)?.versioned.version === 0)
    for (let from = 0; from < unknown.length; from += READ_AT_ONCE)
      await this.#read(unknown.slice(from, from + READ_AT_ONCE))
  }

  async #read(ids: readonly string[]): Promise<void> {
    const found = await this.#deps.presences.read(ids)
    for (const [index, id] of ids.entries()) {
      const versioned = found[index]
      if (versioned !== undefined) this.#apply(id, versioned)
    }
  }

  #apply(userId: string, { version, choice }: VersionedChoice): void {
    const watched = this.#watched.get(userId)
    if (watched === undefined || version <= watched.versioned.version) return
    const before = publicPresence(userId, watched.versioned.choice)
    const after = publicPresence(userId, choice)
    watched.versioned = { version, choice }
    if (isSamePresence(before, after)) return
    const frame = presenceFrame(after ?? offlinePresence(userId))
    for (const watcherId of watched.watchers) this.#send(watcherId, frame)
  }

  /** @returns whether the presence is known */
  #watch(userId: string, id: string): boolean {
    const watched = this.#watched.get(id) ?? {
      versioned: { version: 0, choice: undefined },
      watchers: new Set(),
    }
    this.#watched.set(id, watched)
    watched.watchers.add(userId)
    return watched.versioned.version > 0
  }

  #unwatch(userId: string, id: string): void {
    const watched = this.#watched.get(id)
    watched?.watchers.delete(userId)
    if (watched?.watchers.size === 0) this.#watched.delete(id)
  }

  #presenceOf(userId: string): Presence | undefined {
    return publicPresence(userId, this.#watched.get(userId)?.versioned.choice)
  }

  #sendPresence(userId: string, id: string): void {
    const presence = this.#presenceOf(id)
    if (presence !== undefined) this.#send(userId, presenceFrame(presence))
  }

  #send(userId: string, frame: Frame): void {
    if (this.#watchers.get(userId)?.isJoining) return
    for (const connection of this.#deps.listeners.ofUser(userId)) connection.dispatch(frame, true)
  }
}
