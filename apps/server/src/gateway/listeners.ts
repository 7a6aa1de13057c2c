import type { RankedMember, SpaceSnapshot } from '#src/spaces/snapshots.ts'
import type { Connection } from './connection.ts'
import { SpaceListeners } from './space-listeners.ts'

/** Which connections hear what. */
export class Listeners {
  readonly #users = new Map<string, Set<Connection>>()
  readonly #sessions = new Map<string, Set<Connection>>()
  readonly #spaces = new Map<string, SpaceListeners>()

  ofUser(userId: string): ReadonlySet<Connection> {
    return this.#users.get(userId) ?? nobody
  }

  ofSession(sessionId: string): ReadonlySet<Connection> {
    return this.#sessions.get(sessionId) ?? nobody
  }

  /** Undefined when nobody on this process hears the space. */
  findSpace(spaceId: string): SpaceListeners | undefined {
    return this.#spaces.get(spaceId)
  }

  /** @param permission bits that a listener needs in the space; 0 needs none */
  ofSpace(spaceId: string, permission = 0): ReadonlySet<Connection> {
    const space = this.#spaces.get(spaceId)
    return (permission === 0 ? space?.all : space?.permitted(permission)) ?? nobody
  }

  ofRoom(spaceId: string, roomId: string): ReadonlySet<Connection> {
    return this.#spaces.get(spaceId)?.ofRoom(roomId) ?? nobody
  }

  addUser(connection: Connection, userId: string, sessionId: string): void {
    addTo(this.#users, userId, connection)
    addTo(this.#sessions, sessionId, connection)
  }

  removeUser(connection: Connection, userId: string, sessionId: string): void {
    removeFrom(this.#users, userId, connection)
    removeFrom(this.#sessions, sessionId, connection)
    for (const spaceId of [...connection.spaces]) this.removeFromSpace(connection, spaceId)
  }

  /** @param snapshot the space as it is now, for its first listener: later ones are treated as those who are there */
  addToSpace(connection: Connection, snapshot: SpaceSnapshot, member: RankedMember): void {
    const { id } = snapshot.space
    const space = this.#spaces.get(id) ?? new SpaceListeners(snapshot)
    this.#spaces.set(id, space)
    connection.spaces.add(id)
    space.add(connection, member)
  }

  removeFromSpace(connection: Connection, spaceId: string): void {
    const space = this.#spaces.get(spaceId)
    connection.spaces.delete(spaceId)
    space?.remove(connection)
    if (space?.all.size === 0) this.#spaces.delete(spaceId)
  }

  /** The space is gone. */
  removeSpace(spaceId: string): void {
    for (const connection of this.ofSpace(spaceId)) connection.spaces.delete(spaceId)
    this.#spaces.delete(spaceId)
  }
}

export const nobody: ReadonlySet<Connection> = new Set()

function addTo(sets: Map<string, Set<Connection>>, key: string, connection: Connection): void {
  const set = sets.get(key) ?? new Set()
  sets.set(key, set.add(connection))
}

function removeFrom(sets: Map<string, Set<Connection>>, key: string, connection: Connection): void {
  const set = sets.get(key)
  set?.delete(connection)
  if (set?.size === 0) sets.delete(key)
}
