import { Permission } from '@foyer/protocol/permissions'
import { isViewedByAll, viewKey } from '@foyer/protocol/viewers'
import type { SpaceSnapshot } from '#src/spaces/snapshots.ts'
import { type ListedMember, MemberList } from './member-list.ts'
import { type RoomViewers, viewersOf } from './room-viewers.ts'

export interface RoomList {
  readonly list: MemberList
  /** Undefined if all members of the space are listed. */
  readonly viewers: RoomViewers | undefined
}

interface Part extends RoomList {
  readonly viewers: RoomViewers
  seenAt: number
}

/** Milliseconds a list is kept up to date after the last client stopped viewing it. Users who switch rooms often come back. */
const KEPT_UNSEEN_MS = 60_000
/** Maximum lists kept that no client views. With 100,000 online members, each takes about 10 MB. */
const MAX_UNSEEN = 4

/**
 * The member lists of a space and of its rooms, as far as clients see them. Rooms with the same viewers share
 * one list. Rooms that everyone views share the list of the space.
 */
export class RoomLists {
  readonly whole = new MemberList([])
  readonly #ofSpace: RoomList = { list: this.whole, viewers: undefined }
  readonly #parts = new Map<string, Part>()
  /** Lists of the requested rooms, by the current snapshot. */
  readonly #ofRooms = new Map<string, RoomList>()
  #snapshot: SpaceSnapshot | undefined

  set(member: ListedMember): void {
    this.whole.set(member)
    for (const { list, viewers } of this.#parts.values())
      if (viewers.includes(member)) list.set(member)
      else list.remove(member.userId)
  }

  remove(userId: string): void {
    for (const list of this.#lists()) list.remove(userId)
  }

  /** Takes hoisted roles and viewers from this snapshot. */
  adopt(snapshot: SpaceSnapshot | undefined): void {
    if (rightsIn(snapshot) !== rightsIn(this.#snapshot)) this.#parts.clear()
    this.#snapshot = snapshot
    this.#ofRooms.clear()
    const hoisted = hoistedIn(snapshot)
    for (const list of this.#lists()) list.hoist(hoisted)
  }

  /** @returns undefined for an unknown room; the list of the space for null */
  of(roomId: string | null): RoomList | undefined {
    if (roomId === null) return this.#ofSpace
    const found = this.#ofRooms.get(roomId) ?? this.#find(roomId)
    if (found !== undefined) this.#ofRooms.set(roomId, found)
    return found
  }

  /** Returns the viewers of these rooms, except rooms that every member may view. */
  viewersOf(roomIds: Iterable<string | null>): RoomViewers[] {
    const lists = new Set([...roomIds].map((roomId) => this.of(roomId)))
    return [...lists].flatMap((list) => list?.viewers ?? [])
  }

  /** Drops lists of other rooms, except for the few that were seen recently. */
  forgetUnseen(roomIds: Iterable<string | null>, now = performance.now()): void {
    const seen = new Set([...roomIds].map((roomId) => this.of(roomId)))
    const unseen = [...this.#parts].filter(([, part]) => !seen.has(part))
    for (const part of this.#parts.values()) if (seen.has(part)) part.seenAt = now
    const forgotten = unseen
      .sort(([, one], [, other]) => other.seenAt - one.seenAt)
      .filter(([, { seenAt }], index) => index >= MAX_UNSEEN || now - seenAt > KEPT_UNSEEN_MS)
    for (const [key] of forgotten) this.#parts.delete(key)
    if (forgotten.length > 0) this.#ofRooms.clear()
  }

  #lists(): MemberList[] {
    return [this.whole, ...[...this.#parts.values()].map(({ list }) => list)]
  }

  #find(roomId: string): RoomList | undefined {
    const snapshot = this.#snapshot
    if (snapshot?.rooms.has(roomId) !== true) return undefined
    const key = keyOf(snapshot, roomId)
    return key === undefined ? this.#ofSpace : (this.#parts.get(key) ?? this.#newPart(snapshot, roomId, key))
  }

  #newPart(snapshot: SpaceSnapshot, roomId: string, key: string): Part {
    const viewers = viewersOf(snapshot, roomId)
    const part = { list: this.whole.only(viewers.includes), viewers, seenAt: performance.now() }
    this.#parts.set(key, part)
    return part
  }
}

/** Returns a key that is the same for rooms with the same viewers; undefined if everyone views the room. */
function keyOf({ space, roles, overwrites }: SpaceSnapshot, roomId: string): string | undefined {
  const own = overwrites.get(roomId) ?? []
  const everyone = [roles.get(space.id) ?? []].flat()
  return isViewedByAll({ ...space, everyone }, own) ? undefined : viewKey(own)
}

/** Returns the hoisted roles, highest first. */
function hoistedIn(snapshot: SpaceSnapshot | undefined): string[] {
  const hoisted = [...(snapshot?.roles.values() ?? [])].filter(
    (role) => role.hoisted && role.id !== snapshot?.space.id,
  )
  return hoisted.sort((one, other) => other.position - one.position).map(({ id }) => id)
}

/** Returns the facts that, together with a room's overwrites, decide who may view it. */
function rightsIn(snapshot: SpaceSnapshot | undefined): string {
  const { Administrator, ViewChannels } = Permission
  const rights = [...(snapshot?.roles.values() ?? [])].map(
    ({ id, permissions }) => `${id} ${permissions & (Administrator | ViewChannels)}`,
  )
  return [snapshot?.space.owner_id, ...rights.sort()].join()
}
