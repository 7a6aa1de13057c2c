import type { Member } from '@foyer/protocol/members'
import { has, Permission } from '@foyer/protocol/permissions'
import { permissionsIn, permissionsInRoom, type SpaceSnapshot } from '#src/spaces/snapshots.ts'
import type { Connection } from './connection.ts'

/** Who hears a space on this process. */
interface SpaceListeners {
  readonly all: Set<Connection>
  /** Only the rooms that not everybody may view; the others are heard by `all`. */
  readonly restricted: Map<string, Set<Connection>>
  /** Those whose permissions in the space are not those of @everyone alone. */
  readonly permissions: Map<Connection, number>
  readonly basePermissions: number
}

/** Which connections hear what. Every answer is a set that is there already: nothing is computed per event. */
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

  ofSpace(spaceId: string): ReadonlySet<Connection> {
    return this.#spaces.get(spaceId)?.all ?? nobody
  }

  ofRoom(spaceId: string, roomId: string): ReadonlySet<Connection> {
    const space = this.#spaces.get(spaceId)
    return space?.restricted.get(roomId) ?? space?.all ?? nobody
  }

  /** Whether the connection's member has the permission in the space. */
  isPermitted(connection: Connection, spaceId: string, permission: number): boolean {
    const space = this.#spaces.get(spaceId)
    if (space === undefined) return false
    return has(space.permissions.get(connection) ?? space.basePermissions, permission)
  }

  addUser(connection: Connection, userId: string, sessionId: string | undefined): void {
    addTo(this.#users, userId, connection)
    if (sessionId !== undefined) addTo(this.#sessions, sessionId, connection)
  }

  removeUser(connection: Connection, userId: string, sessionId: string | undefined): void {
    removeFrom(this.#users, userId, connection)
    if (sessionId !== undefined) removeFrom(this.#sessions, sessionId, connection)
    for (const spaceId of [...connection.spaces]) this.removeFromSpace(connection, spaceId)
  }

  addToSpace(connection: Connection, snapshot: SpaceSnapshot, member: Member): void {
    const { id } = snapshot.space
    const space = this.#spaces.get(id) ?? emptySpace(snapshot)
    this.#spaces.set(id, space)
    connection.spaces.add(id)
    space.all.add(connection)
    const permissions = permissionsIn(snapshot, member)
    if (permissions !== space.basePermissions) space.permissions.set(connection, permissions)
    for (const [roomId, listeners] of space.restricted) {
      const mayView = has(permissionsInRoom(snapshot, member, roomId), Permission.ViewChannels)
      if (mayView) listeners.add(connection)
    }
  }

  removeFromSpace(connection: Connection, spaceId: string): void {
    const space = this.#spaces.get(spaceId)
    connection.spaces.delete(spaceId)
    if (space === undefined) return
    space.all.delete(connection)
    space.permissions.delete(connection)
    for (const listeners of space.restricted.values()) listeners.delete(connection)
    if (space.all.size === 0) this.#spaces.delete(spaceId)
  }
}

export const nobody: ReadonlySet<Connection> = new Set()

function emptySpace(snapshot: SpaceSnapshot): SpaceListeners {
  const restricted = [...snapshot.rooms.keys()].filter((roomId) => isRestricted(snapshot, roomId))
  return {
    all: new Set(),
    restricted: new Map(restricted.map((roomId) => [roomId, new Set()])),
    permissions: new Map(),
    basePermissions: snapshot.roles.get(snapshot.space.id)?.permissions ?? 0,
  }
}

/** Whether some member might not view the room: @everyone may not look around, or an overwrite takes it from somebody. */
function isRestricted({ space, roles, overwrites }: SpaceSnapshot, roomId: string): boolean {
  const everyone = roles.get(space.id)?.permissions ?? 0
  if (!has(everyone, Permission.ViewChannels)) return true
  return (overwrites.get(roomId) ?? []).some(({ deny_flags }) => has(deny_flags, Permission.ViewChannels))
}

function addTo(sets: Map<string, Set<Connection>>, key: string, connection: Connection): void {
  const set = sets.get(key) ?? new Set()
  sets.set(key, set.add(connection))
}

function removeFrom(sets: Map<string, Set<Connection>>, key: string, connection: Connection): void {
  const set = sets.get(key)
  set?.delete(connection)
  if (set?.size === 0) sets.delete(key)
}
