import { has, OverwriteTarget } from '@foyer/protocol/permissions'
import { mayView, permissionsIn, type RankedMember, type SpaceSnapshot } from '#src/spaces/snapshots.ts'
import { roomsToCompare } from './compared-rooms.ts'
import type { Connection } from './connection.ts'

/** Connections whose members may do the same everywhere in the space. */
interface Group {
  readonly key: string
  /** What decides it: the roles, and the user where who it is makes a difference. */
  readonly member: RankedMember
  readonly connections: Set<Connection>
}

/** Who hears a room. Rooms that the same groups may view share one audience. */
interface Audience {
  readonly groups: ReadonlySet<Group>
  readonly connections: Set<Connection>
}

/** Connections that may view other rooms than before. */
export interface Shift {
  readonly connections: ReadonlySet<Connection>
  readonly lost: readonly string[]
  readonly gained: readonly string[]
}

/**
 * Who hears a space on this process. Members are told apart by their roles alone, as far as that is enough: a change costs
 * by the kinds of members there are, not by their number.
 */
export class SpaceListeners {
  readonly all = new Set<Connection>()
  #snapshot: SpaceSnapshot
  /** Users who differ from others with the same roles: owners, and who has or had an overwrite of their own. */
  readonly #singled: Set<string>
  readonly #groups = new Map<string, Group>()
  readonly #groupOf = new Map<Connection, Group>()
  /** Made when a room is first heard, kept up as connections come and go, and forgotten when the groups change. */
  readonly #rooms = new Map<string, Audience>()
  readonly #audiences = new Map<string, Audience>()

  constructor(snapshot: SpaceSnapshot) {
    this.#snapshot = snapshot
    this.#singled = new Set(singledIn(snapshot))
  }

  add(connection: Connection, member: RankedMember): void {
    const group = this.#groups.get(this.#keyOf(member)) ?? this.#newGroup(member)
    this.all.add(connection)
    this.#groupOf.set(connection, group)
    group.connections.add(connection)
    for (const { groups, connections } of this.#audiences.values())
      if (groups.has(group)) connections.add(connection)
  }

  remove(connection: Connection): void {
    const group = this.#groupOf.get(connection)
    this.all.delete(connection)
    this.#groupOf.delete(connection)
    group?.connections.delete(connection)
    for (const { connections } of this.#audiences.values()) connections.delete(connection)
    if (group?.connections.size === 0) this.#groups.delete(group.key)
  }

  ofRoom(roomId: string): ReadonlySet<Connection> {
    const audience = this.#rooms.get(roomId) ?? this.#audienceOf(roomId)
    this.#rooms.set(roomId, audience)
    return audience.connections
  }

  /** Those whose members have the permission in the space. */
  permitted(permission: number): ReadonlySet<Connection> {
    return union([...this.#groups.values()].filter(({ member }) => this.#has(member, permission)))
  }

  isPermitted(connection: Connection, permission: number): boolean {
    const group = this.#groupOf.get(connection)
    return group !== undefined && this.#has(group.member, permission)
  }

  /** Whether the member's roles are others than those that the connection is heard by. */
  isOutdated(connection: Connection, member: RankedMember): boolean {
    const group = this.#groupOf.get(connection)
    return group !== undefined && group.key !== this.#keyOf(member)
  }

  /** Puts a member's connections where the roles belong that the member has now. */
  move(connections: readonly Connection[], member: RankedMember): Shift[] {
    const here = connections.filter((connection) => this.#groupOf.has(connection))
    const [before] = here.flatMap((connection) => this.#groupOf.get(connection) ?? [])
    if (before === undefined) return []
    for (const connection of here) {
      this.remove(connection)
      this.add(connection, member)
    }
    const views = (seen: RankedMember) => (roomId: string) => mayView(this.#snapshot, seen, roomId)
    const rooms = [...this.#snapshot.rooms.keys()]
    return [{ connections: new Set(here), ...difference(rooms, views(before.member), views(member)) }]
  }

  /** Sets apart whom the next snapshot treats unlike others with the same roles. To be done before `shifts`. */
  setApart(next: SpaceSnapshot, connectionsOf: (userId: string) => Iterable<Connection>): void {
    for (const userId of singledIn(next)) {
      if (this.#singled.has(userId)) continue
      this.#singled.add(userId)
      for (const connection of connectionsOf(userId)) this.#isolate(connection, userId)
    }
  }

  /** What the next snapshot gives to and takes from each group, one after the other. */
  *shifts(next: SpaceSnapshot): Generator<Shift> {
    const rooms = roomsToCompare(this.#snapshot, next)
    const views = (snapshot: SpaceSnapshot, member: RankedMember) => (roomId: string) =>
      mayView(snapshot, member, roomId)
    for (const { member, connections } of [...this.#groups.values()])
      yield { connections, ...difference(rooms, views(this.#snapshot, member), views(next, member)) }
  }

  /** From here on the next snapshot says who hears what. */
  adopt(next: SpaceSnapshot): void {
    this.#snapshot = next
    this.#forgetAudiences()
  }

  /** Whoever could view the room has been told that it is gone. */
  forgetRoom(roomId: string): void {
    const rooms = new Map(this.#snapshot.rooms)
    rooms.delete(roomId)
    this.adopt({ ...this.#snapshot, rooms })
  }

  #isolate(connection: Connection, userId: string): void {
    const group = this.#groupOf.get(connection)
    if (group === undefined) return
    this.remove(connection)
    this.add(connection, { user_id: userId, roles: group.member.roles })
  }

  #has(member: RankedMember, permission: number): boolean {
    return has(permissionsIn(this.#snapshot, member), permission)
  }

  #keyOf({ user_id, roles }: RankedMember): string {
    return this.#singled.has(user_id) ? `user ${user_id} ${roles.toSorted()}` : `${roles.toSorted()}`
  }

  #newGroup(member: RankedMember): Group {
    const key = this.#keyOf(member)
    // Whose group it is must not count for those who share it.
    const userId = this.#singled.has(member.user_id) ? member.user_id : ''
    const group = {
      key,
      member: { user_id: userId, roles: member.roles },
      connections: new Set<Connection>(),
    }
    this.#groups.set(key, group)
    this.#forgetAudiences()
    return group
  }

  #audienceOf(roomId: string): Audience {
    const groups = [...this.#groups.values()].filter(({ member }) => mayView(this.#snapshot, member, roomId))
    const key = groups.map((group) => group.key).join(';')
    const known = this.#audiences.get(key)
    if (known !== undefined) return known
    const connections = groups.length === this.#groups.size ? this.all : union(groups)
    const audience = { groups: new Set(groups), connections }
    this.#audiences.set(key, audience)
    return audience
  }

  #forgetAudiences(): void {
    this.#rooms.clear()
    this.#audiences.clear()
  }
}

function singledIn({ space, overwrites }: SpaceSnapshot): string[] {
  const targets = [...overwrites.values()].flat()
  const members = targets.filter(({ target_type }) => target_type === OverwriteTarget.Member)
  return [space.owner_id, ...members.map(({ target_id }) => target_id)]
}

function difference(
  rooms: readonly string[],
  before: (roomId: string) => boolean,
  after: (roomId: string) => boolean,
): Pick<Shift, 'lost' | 'gained'> {
  return {
    lost: rooms.filter((roomId) => before(roomId) && !after(roomId)),
    gained: rooms.filter((roomId) => !before(roomId) && after(roomId)),
  }
}

function union(groups: readonly Group[]): Set<Connection> {
  const connections = new Set<Connection>()
  for (const group of groups) for (const connection of group.connections) connections.add(connection)
  return connections
}
