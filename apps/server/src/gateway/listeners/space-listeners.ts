import { isInAudience } from '@foyer/protocol/event-delivery'
import { RoomType } from '@foyer/protocol/rooms'
import type { SpaceState } from '@foyer/protocol/spaces'
import { viewKey } from '@foyer/protocol/viewers'
import { type RankedMember, rightsIn, type SpaceSnapshot, singledIn, viewOf } from '#src/spaces/snapshots.ts'
import type { Connection } from '../connections/connection.ts'
import { compareRooms } from './compared-rooms.ts'

/** Connections whose members have the same permissions everywhere in the space. */
interface Group<C> {
  readonly key: string
  /** The roles that decide these permissions, and the user id if the user is singled out. */
  readonly member: RankedMember
  readonly connections: Set<C>
}

/** The recipients of an event: disjoint sets of connections. */
export type Recipients<C = Connection> = ReadonlySet<ReadonlySet<C>>

interface KeptRecipients<C> {
  readonly includes: (member: RankedMember) => boolean
  readonly connections: Set<ReadonlySet<C>>
}

/** Connections that gained or lost rooms. */
export interface Shift<C = Connection> {
  readonly connections: ReadonlySet<C>
  readonly lost: readonly string[]
  readonly gained: readonly string[]
}

export const nobody: Recipients<never> = new Set()

/**
 * The connections of this process that receive a space, grouped by roles. The cost of a change grows with the number of
 * groups, not of members.
 */
export class SpaceListeners<C = Connection> {
  readonly all = new Set<C>()
  readonly everyone: Recipients<C> = new Set([this.all])
  readonly #seenBy: (connection: C, member: RankedMember) => RankedMember
  #snapshot: SpaceSnapshot
  /** Rooms of the space. Each is added and removed by its own event. */
  readonly #rooms: Set<string>
  /** Users whom the next snapshot singles out, but the current one does not. */
  readonly #setApart = new Set<string>()
  readonly #groups = new Map<string, Group<C>>()
  readonly #groupOf = new Map<C, Group<C>>()
  /** Computed on first use, maintained as groups come and go, and cleared when permissions change. */
  readonly #recipients = new Map<string | number, KeptRecipients<C>>()
  readonly #ofRooms = new Map<string, Recipients<C>>()

  /** @param seenBy returns the member with the connection's features: for example, it hides forums from older clients */
  constructor(snapshot: SpaceSnapshot, seenBy: (connection: C, member: RankedMember) => RankedMember) {
    this.#snapshot = snapshot
    this.#seenBy = seenBy
    this.#rooms = new Set(snapshot.rooms.keys())
  }

  /** The snapshot from which recipients are computed. */
  get snapshot(): SpaceSnapshot {
    return this.#snapshot
  }

  /** Adds a connection, or moves it to these roles. */
  add(connection: C, joining: RankedMember): void {
    this.remove(connection)
    const member = this.#seenBy(connection, joining)
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

  ofRoom(roomId: string): Recipients<C> {
    return this.#ofRooms.get(roomId) ?? this.#newOfRoom(roomId)
  }

  /** Returns the connections of the members who have the permission that an event's audience requires: see `isInAudience`. */
  permitted(audience: number): Recipients<C> {
    return this.#recipientsBy(audience, (member) => isInAudience(rightsIn(this.#snapshot, member), audience))
  }

  isIn(recipients: Recipients<C>, connection: C): boolean {
    const group = this.#groupOf.get(connection)
    return group !== undefined && (recipients === this.everyone || recipients.has(group.connections))
  }

  addRoom(roomId: string): void {
    this.#rooms.add(roomId)
  }

  forgetRoom(roomId: string): void {
    this.#rooms.delete(roomId)
    this.#ofRooms.delete(roomId)
  }

  /** Returns the roles by which the connection is grouped. */
  rolesOf(connection: C): readonly string[] {
    return this.#groupOf.get(connection)?.member.roles ?? []
  }

  /** True if the member's roles differ from the ones the connection is grouped by. */
  isOutdated(connection: C, member: RankedMember): boolean {
    const group = this.#groupOf.get(connection)
    return group !== undefined && group.key !== this.#keyOf(this.#seenBy(connection, member))
  }

  /** Moves a member's connections to the group of their current roles. */
  move(connections: Iterable<C>, member: RankedMember): Shift<C>[] {
    const outdated = [...connections].filter((connection) => this.isOutdated(connection, member))
    return [...Map.groupBy(outdated, (connection) => this.#groupOf.get(connection))].map(
      ([group, moving]) => {
        for (const connection of moving) this.add(connection, member)
        const hidesForums = group?.member.hidesForums ?? false
        const mayView = viewOf(this.#snapshot, { ...member, hidesForums })
        const mightView = viewOf(this.#snapshot, group?.member ?? member)
        return { connections: new Set(moving), ...difference(this.#rooms, mightView, mayView) }
      },
    )
  }

  /** Returns the rooms that each client gained or lost since the state it was sent. */
  differencesTo(sent: SpaceState, connections: Iterable<C>): Shift<C>[] {
    const known = new Set(sent.rooms.map(({ id }) => id))
    return [...Map.groupBy(connections, (connection) => this.#groupOf.get(connection))].map(
      ([group, joining]) => {
        const mayView = viewOf(this.#snapshot, group?.member ?? sent.member)
        const differing = difference(
          new Set([...known, ...this.#rooms]),
          (roomId) => known.has(roomId),
          (roomId) => this.#rooms.has(roomId) && mayView(roomId),
        )
        return { connections: new Set(joining), ...differing }
      },
    )
  }

  /** Gives users who are singled out by the next snapshot a group of their own. Must run before `shifts`. */
  setApart(next: SpaceSnapshot, connectionsOf: (userId: string) => Iterable<C>): void {
    for (const userId of [next.space.owner_id, ...singledIn(next)]) {
      if (this.#isSingled(userId)) continue
      this.#setApart.add(userId)
      for (const connection of connectionsOf(userId)) this.#isolate(connection, userId)
    }
  }

  /** Yields the rooms that each group gains and loses by the next snapshot. */
  *shifts(next: SpaceSnapshot): Generator<Shift<C>> {
    const roomsFor = compareRooms(this.#snapshot, next, this.#rooms)
    for (const { member, connections } of [...this.#groups.values()]) {
      const rooms = roomsFor(member)
      if (rooms.length === 0) continue
      yield { connections, ...difference(rooms, viewOf(this.#snapshot, member), viewOf(next, member)) }
    }
  }

  /** Computes recipients by the next snapshot from now on. */
  adopt(next: SpaceSnapshot): void {
    this.#snapshot = next
    this.#recipients.clear()
    this.#ofRooms.clear()
    for (const roomId of this.#rooms) if (!next.rooms.has(roomId)) this.#rooms.delete(roomId)
    this.#setApart.clear()
    for (const group of [...this.#groups.values()]) if (!this.#isKeyed(group)) this.#rejoin(group)
  }

  #isolate(connection: C, userId: string): void {
    const group = this.#groupOf.get(connection)
    if (group !== undefined) this.add(connection, { user_id: userId, roles: group.member.roles })
  }

  #isKeyed({ key, member }: Group<C>): boolean {
    return key === this.#keyOf(member)
  }

  /**
   * Moves the connections back to the group that members with the same roles share. Otherwise everyone who ever had an
   * overwrite would keep a group of their own.
   */
  #rejoin({ member, connections }: Group<C>): void {
    for (const connection of [...connections]) this.add(connection, member)
  }

  /**
   * Returns true if the user may have other permissions than members with the same roles: the owner, and users with
   * overwrites of their own.
   */
  #isSingled(userId: string): boolean {
    const { space } = this.#snapshot
    return userId === space.owner_id || singledIn(this.#snapshot).has(userId) || this.#setApart.has(userId)
  }

  #keyOf({ user_id, roles, hidesForums }: RankedMember): string {
    const known = hidesForums ? 'without forums ' : ''
    const same = this.#isSingled(user_id) ? `user ${user_id} ${roles.toSorted()}` : `${roles.toSorted()}`
    return known + same
  }

  #newGroup(member: RankedMember): Group<C> {
    // A shared group must not depend on the user who created it.
    const userId = this.#isSingled(member.user_id) ? member.user_id : ''
    const group = {
      key: this.#keyOf(member),
      member: { user_id: userId, roles: member.roles, hidesForums: member.hidesForums ?? false },
      connections: new Set<C>(),
    }
    this.#groups.set(group.key, group)
    for (const { includes, connections } of this.#recipients.values())
      if (includes(group.member)) connections.add(group.connections)
    return group
  }

  #endGroup(group: Group<C>): void {
    this.#groups.delete(group.key)
    for (const { connections } of this.#recipients.values()) connections.delete(group.connections)
  }

  #newOfRoom(roomId: string): Recipients<C> {
    const room = this.#snapshot.rooms.get(roomId)
    if (!this.#rooms.has(roomId) || room === undefined) return nobody
    const kind = room.type === RoomType.Forum ? 'forum ' : ''
    const key = kind + viewKey(this.#snapshot.overwrites.get(roomId) ?? [])
    const recipients = this.#recipientsBy(key, (member) => viewOf(this.#snapshot, member)(roomId))
    this.#ofRooms.set(roomId, recipients)
    return recipients
  }

  #recipientsBy(key: string | number, includes: KeptRecipients<C>['includes']): Recipients<C> {
    const known = this.#recipients.get(key)
    if (known !== undefined) return known.connections
    const groups = [...this.#groups.values()].filter(({ member }) => includes(member))
    const connections = new Set(groups.map((group) => group.connections))
    this.#recipients.set(key, { includes, connections })
    return connections
  }
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
