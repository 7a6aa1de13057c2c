import { has } from '@foyer/protocol/permissions'
import type { SpaceState } from '@foyer/protocol/spaces'
import { viewKey } from '@foyer/protocol/viewers'
import {
  permissionsIn,
  type RankedMember,
  type SpaceSnapshot,
  singledIn,
  viewOf,
} from '#src/spaces/snapshots.ts'
import { compareRooms } from './compared-rooms.ts'
import type { Connection } from './connection.ts'

/** Connections whose members may do the same everywhere in the space. */
interface Group<C> {
  readonly key: string
  /** What decides it: the roles, and the user where who it is makes a difference. */
  readonly member: RankedMember
  readonly connections: Set<C>
}

/** Who hears something: sets that have no connection in common. */
export type Audience<C = Connection> = ReadonlySet<ReadonlySet<C>>

interface KeptAudience<C> {
  readonly includes: (member: RankedMember) => boolean
  readonly connections: Set<ReadonlySet<C>>
}

/** Connections that may view other rooms than before. */
export interface Shift<C = Connection> {
  readonly connections: ReadonlySet<C>
  readonly lost: readonly string[]
  readonly gained: readonly string[]
}

export const nobody: Audience<never> = new Set()

/**
 * Who hears a space on this process. Members are told apart by their roles alone, as far as that is enough: a change costs
 * by the kinds of members there are, not by their number.
 */
export class SpaceListeners<C = Connection> {
  readonly all = new Set<C>()
  readonly everybody: Audience<C> = new Set([this.all])
  #snapshot: SpaceSnapshot
  /** Those that the listeners know of: a room that comes or goes does so with its own event. */
  readonly #rooms: Set<string>
  /** Users who differ from others with the same roles: the owner, and who has an overwrite of their own. */
  #singled: Set<string>
  readonly #groups = new Map<string, Group<C>>()
  readonly #groupOf = new Map<C, Group<C>>()
  /** Worked out when first asked for, kept up as groups come and go, and forgotten when what they may do changes. */
  readonly #audiences = new Map<string | number, KeptAudience<C>>()
  readonly #ofRooms = new Map<string, Audience<C>>()

  constructor(snapshot: SpaceSnapshot) {
    this.#snapshot = snapshot
    this.#rooms = new Set(snapshot.rooms.keys())
    this.#singled = distinctIn(snapshot)
  }

  /** What decides who hears what. */
  get snapshot(): SpaceSnapshot {
    return this.#snapshot
  }

  /** A connection that is there already counts by these roles from here on. */
  add(connection: C, member: RankedMember): void {
    this.remove(connection)
    const group = this.#groups.get(this.#keyOf(member)) ?? this.#newGroup(member)
    this.all.add(connection)
    this.#groupOf.set(connection, group)
    group.connections.add(connection)
  }

  remove(connection: C): void {
    const group = this.#groupOf.get(connection)
    if (group === undefined) return
    this.all.delete(connection)
    this.#groupOf.delete(connection)
    group.connections.delete(connection)
    if (group.connections.size === 0) this.#endGroup(group)
  }

  ofRoom(roomId: string): Audience<C> {
    return this.#ofRooms.get(roomId) ?? this.#newOfRoom(roomId)
  }

  /** Those whose members have the permission in the space. */
  permitted(permission: number): Audience<C> {
    return this.#audience(permission, (member) => has(permissionsIn(this.#snapshot, member), permission))
  }

  isIn(audience: Audience<C>, connection: C): boolean {
    const group = this.#groupOf.get(connection)
    return group !== undefined && (audience === this.everybody || audience.has(group.connections))
  }

  addRoom(roomId: string): void {
    this.#rooms.add(roomId)
  }

  forgetRoom(roomId: string): void {
    this.#rooms.delete(roomId)
    this.#ofRooms.delete(roomId)
  }

  /** Those that the connection is heard by. */
  rolesOf(connection: C): readonly string[] {
    return this.#groupOf.get(connection)?.member.roles ?? []
  }

  /** Whether the member's roles are others than those that the connection is heard by. */
  isOutdated(connection: C, member: RankedMember): boolean {
    const group = this.#groupOf.get(connection)
    return group !== undefined && group.key !== this.#keyOf(member)
  }

  /** Puts a member's connections where the roles belong that the member has now. */
  move(connections: Iterable<C>, member: RankedMember): Shift<C>[] {
    const outdated = [...connections].filter((connection) => this.isOutdated(connection, member))
    const mayView = viewOf(this.#snapshot, member)
    return [...Map.groupBy(outdated, (connection) => this.#groupOf.get(connection))].map(
      ([group, moving]) => {
        for (const connection of moving) this.add(connection, member)
        const mightView = viewOf(this.#snapshot, group?.member ?? member)
        return { connections: new Set(moving), ...difference(this.#rooms, mightView, mayView) }
      },
    )
  }

  /** What the member may view otherwise than the client was told. */
  differenceTo(told: SpaceState): Pick<Shift, 'lost' | 'gained'> {
    const known = new Set(told.rooms.map(({ id }) => id))
    const mayView = viewOf(this.#snapshot, told.member)
    return difference(
      new Set([...known, ...this.#rooms]),
      (roomId) => known.has(roomId),
      (roomId) => this.#rooms.has(roomId) && mayView(roomId),
    )
  }

  /** Sets apart whom the next snapshot treats unlike others with the same roles. To be done before `shifts`. */
  setApart(next: SpaceSnapshot, connectionsOf: (userId: string) => Iterable<C>): void {
    for (const userId of distinctIn(next)) {
      if (this.#singled.has(userId)) continue
      this.#singled.add(userId)
      for (const connection of connectionsOf(userId)) this.#isolate(connection, userId)
    }
  }

  /** What the next snapshot gives to and takes from each group, one after the other. */
  *shifts(next: SpaceSnapshot): Generator<Shift<C>> {
    const roomsFor = compareRooms(this.#snapshot, next, this.#rooms)
    for (const { member, connections } of [...this.#groups.values()]) {
      const rooms = roomsFor(member)
      if (rooms.length === 0) continue
      yield { connections, ...difference(rooms, viewOf(this.#snapshot, member), viewOf(next, member)) }
    }
  }

  /** From here on the next snapshot says who hears what. */
  adopt(next: SpaceSnapshot): void {
    this.#snapshot = next
    this.#audiences.clear()
    this.#ofRooms.clear()
    for (const roomId of this.#rooms) if (!next.rooms.has(roomId)) this.#rooms.delete(roomId)
    this.#singled = distinctIn(next)
    for (const group of [...this.#groups.values()]) if (!this.#isKeyed(group)) this.#rejoin(group)
  }

  #isolate(connection: C, userId: string): void {
    const group = this.#groupOf.get(connection)
    if (group !== undefined) this.add(connection, { user_id: userId, roles: group.member.roles })
  }

  #isKeyed({ key, member }: Group<C>): boolean {
    return key === this.#keyOf(member)
  }

  /** Back to the others with the same roles: else everybody who ever had an overwrite would cost by themselves for good. */
  #rejoin({ member, connections }: Group<C>): void {
    for (const connection of [...connections]) this.add(connection, member)
  }

  #keyOf({ user_id, roles }: RankedMember): string {
    return this.#singled.has(user_id) ? `user ${user_id} ${roles.toSorted()}` : `${roles.toSorted()}`
  }

  #newGroup(member: RankedMember): Group<C> {
    // Whose group it is must not count for those who share it.
    const userId = this.#singled.has(member.user_id) ? member.user_id : ''
    const group = {
      key: this.#keyOf(member),
      member: { user_id: userId, roles: member.roles },
      connections: new Set<C>(),
    }
    this.#groups.set(group.key, group)
    for (const { includes, connections } of this.#audiences.values())
      if (includes(group.member)) connections.add(group.connections)
    return group
  }

  #endGroup(group: Group<C>): void {
    this.#groups.delete(group.key)
    for (const { connections } of this.#audiences.values()) connections.delete(group.connections)
  }

  #newOfRoom(roomId: string): Audience<C> {
    if (!this.#rooms.has(roomId) || !this.#snapshot.rooms.has(roomId)) return nobody
    const key = viewKey(this.#snapshot.overwrites.get(roomId) ?? [])
    const audience = this.#audience(key, (member) => viewOf(this.#snapshot, member)(roomId))
    this.#ofRooms.set(roomId, audience)
    return audience
  }

  #audience(key: string | number, includes: KeptAudience<C>['includes']): Audience<C> {
    const known = this.#audiences.get(key)
    if (known !== undefined) return known.connections
    const groups = [...this.#groups.values()].filter(({ member }) => includes(member))
    const connections = new Set(groups.map((group) => group.connections))
    this.#audiences.set(key, { includes, connections })
    return connections
  }
}

function distinctIn(snapshot: SpaceSnapshot): Set<string> {
  return new Set([snapshot.space.owner_id, ...singledIn(snapshot)])
}

function difference(
  rooms: Iterable<string>,
  before: (roomId: string) => boolean,
  after: (roomId: string) => boolean,
): Pick<Shift, 'lost' | 'gained'> {
  const lost: string[] = []
  const gained: string[] = []
  for (const roomId of rooms) {
    const [did, does] = [before(roomId), after(roomId)]
    if (did && !does) lost.push(roomId)
    if (!did && does) gained.push(roomId)
  }
  return { lost, gained }
}
