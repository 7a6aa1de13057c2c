import type { Presence } from '@foyer/protocol/presence'
import type { Logger } from 'pino'
import { ownPresence, publicPresence, type Standing } from '#src/presence/choices.ts'
import type { PresenceChange, Presences } from '#src/presence/presences.ts'
import type { RelatedUsers } from '#src/presence/related-users.ts'
import type { Frame } from './frames.ts'
import type { Listeners } from './listeners.ts'
import { isSamePresence, offlinePresence, presenceFrame } from './presence-frames.ts'

export interface WatchersDeps {
  listeners: Listeners
  presences: Presences
  relatedUsers: RelatedUsers
  log: Logger
}

/** Somebody whose presence is told here. */
interface Watched {
  standing: Standing
  /** Users with connections to this process. */
  readonly watchers: Set<string>
}

/** A user with connections to this process. */
interface Watcher {
  watches: ReadonlySet<string>
  /** Until it is known for the first time whom the user watches: READY tells all of them. */
  isJoining: boolean
  isStale: boolean
  loading: Promise<void> | undefined
}

const READ_AT_ONCE = 500
const RETRY_MS = 1000

/**
 * Who on this process is told of whose presence: friends and those in conversations. A change costs by those who are told,
 * and nothing for who is not.
 */
export class Watchers {
  readonly #deps: WatchersDeps
  readonly #watched = new Map<string, Watched>()
  readonly #watchers = new Map<string, Watcher>()

  constructor(deps: WatchersDeps) {
    this.#deps = deps
  }

  /** From here on the user's connections are told. @returns who of those that they are told of is not offline */
  async join(userId: string): Promise<Presence[]> {
    const known = this.#watchers.get(userId)
    const watcher = known ?? { watches: new Set(), isJoining: true, isStale: true, loading: undefined }
    this.#watchers.set(userId, watcher)
    if (known === undefined) this.#load(userId, watcher)
    await watcher.loading
    return [...watcher.watches].flatMap((id) => this.#presenceOf(id) ?? [])
  }

  /** The user's last connection to this process may be gone. */
  leave(userId: string): void {
    if (this.#deps.listeners.ofUser(userId).size > 0) return
    for (const id of this.#watchers.get(userId)?.watches ?? []) this.#unwatch(userId, id)
    this.#watchers.delete(userId)
  }

  /** Whose presence the user is told may be others now. */
  refresh(userId: string): void {
    const watcher = this.#watchers.get(userId)
    if (watcher === undefined) return
    watcher.isStale = true
    this.#load(userId, watcher)
  }

  /** From now on neither is told of the other, whatever is being looked up. */
  part(one: string, other: string): void {
    for (const [userId, id] of [
      [one, other],
      [other, one],
    ] as const) {
      const watcher = this.#watchers.get(userId)
      if (!watcher?.watches.has(id)) continue
      watcher.watches = new Set([...watcher.watches].filter((watchedId) => watchedId !== id))
      if (this.#presenceOf(id) !== undefined) this.#tell(userId, presenceFrame(offlinePresence(id)))
      this.#unwatch(userId, id)
    }
  }

  watches(userId: string, watchedId: string): boolean {
    return this.#watched.get(watchedId)?.watchers.has(userId) ?? false
  }

  hear(change: PresenceChange): void {
    const { userId, choice, origin } = change
    const connections = this.#deps.listeners.ofUser(userId)
    const frame = connections.size > 0 ? presenceFrame(ownPresence(userId, choice)) : undefined
    for (const connection of connections)
      if (frame !== undefined && connection.id !== origin) connection.hear(frame, true)
    this.#apply(userId, change)
  }

  /** Asks anew how all of them are seen: what was told of it may not have come through. */
  async reread(): Promise<void> {
    const ids = [...this.#watched.keys()]
    for (let from = 0; from < ids.length; from += READ_AT_ONCE)
      await this.#read(ids.slice(from, from + READ_AT_ONCE))
  }

  #load(userId: string, watcher: Watcher): void {
    watcher.loading ??= this.#loadStale(userId, watcher).catch((error) => {
      this.#deps.log.error({ err: error }, 'it is not known whose presence a user is told')
      this.#retry(userId, watcher)
    })
  }

  /** Who is no friend any more must not be told for as long as the connection lives. */
  #retry(userId: string, watcher: Watcher): void {
    watcher.isStale = true
    setTimeout(() => {
      if (this.#watchers.get(userId) === watcher) this.#load(userId, watcher)
    }, RETRY_MS).unref()
  }

  async #loadStale(userId: string, watcher: Watcher): Promise<void> {
    try {
      // Who left meanwhile watches nobody.
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
      if (this.#presenceOf(id) !== undefined) this.#tell(userId, presenceFrame(offlinePresence(id)))
      this.#unwatch(userId, id)
    }
    const known = come.filter((id) => this.#watch(userId, id))
    for (const id of known) this.#tellStanding(userId, id)
    // What is read of the others is told as a change.
    const unknown = come.filter((id) => this.#watched.get(id)?.standing.version === 0)
    for (let from = 0; from < unknown.length; from += READ_AT_ONCE)
      await this.#read(unknown.slice(from, from + READ_AT_ONCE))
  }

  async #read(ids: readonly string[]): Promise<void> {
    const standings = await this.#deps.presences.read(ids)
    for (const [index, id] of ids.entries()) {
      const standing = standings[index]
      if (standing !== undefined) this.#apply(id, standing)
    }
  }

  #apply(userId: string, { version, choice }: Standing): void {
    const watched = this.#watched.get(userId)
    if (watched === undefined || version <= watched.standing.version) return
    const before = publicPresence(userId, watched.standing.choice)
    const after = publicPresence(userId, choice)
    watched.standing = { version, choice }
    if (isSamePresence(before, after)) return
    const frame = presenceFrame(after ?? offlinePresence(userId))
    for (const watcherId of watched.watchers) this.#tell(watcherId, frame)
  }

  /** @returns whether it is known how they are seen */
  #watch(userId: string, id: string): boolean {
    const watched = this.#watched.get(id) ?? {
      standing: { version: 0, choice: undefined },
      watchers: new Set(),
    }
    this.#watched.set(id, watched)
    watched.watchers.add(userId)
    return watched.standing.version > 0
  }

  #unwatch(userId: string, id: string): void {
    const watched = this.#watched.get(id)
    watched?.watchers.delete(userId)
    if (watched?.watchers.size === 0) this.#watched.delete(id)
  }

  #presenceOf(userId: string): Presence | undefined {
    return publicPresence(userId, this.#watched.get(userId)?.standing.choice)
  }

  #tellStanding(userId: string, id: string): void {
    const presence = this.#presenceOf(id)
    if (presence !== undefined) this.#tell(userId, presenceFrame(presence))
  }

  #tell(userId: string, frame: Frame): void {
    if (this.#watchers.get(userId)?.isJoining) return
    for (const connection of this.#deps.listeners.ofUser(userId)) connection.hear(frame, true)
  }
}
