import { Permission } from '@foyer/protocol/permissions'
import { isViewedByAll, viewKey } from '@foyer/protocol/viewers'
import type { SpaceSnapshot } from '#src/spaces/snapshots.ts'
import { type ListedMember, MemberList } from './member-list.ts'
import { type RoomViewers, viewersOf } from './room-viewers.ts'

export interface RoomList {
  readonly list: MemberList
  /** Undefined for all members of the space. */
  readonly viewers: RoomViewers | undefined
}

interface Part extends RoomList {
  readonly viewers: RoomViewers
  seenAt: number
}

/** Who goes from room to room comes back: so long what nobody looks at any more is kept up, in milliseconds. */
const KEPT_UNSEEN_MS = 60_000
/** Of 100,000 who are online a list takes about 10 MB. */
const MAX_UNSEEN = 4

/**
 * The members of a space, and those of them who may view a room, as far as somebody looks at it. Rooms that the same
 * members view have one list, and those that all view that of the space.
 */
export class RoomLists {
  readonly whole = new MemberList([])
  readonly #ofSpace: RoomList = { list: this.whole, viewers: undefined }
  readonly #parts = new Map<string, Part>()
  /** Of rooms that were asked for, by what the snapshot says. */
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

  /** From here on the snapshot says which roles have groups of their own, and who views what. */
  adopt(snapshot: SpaceSnapshot | undefined): void {
    if (rightsIn(snapshot) !== rightsIn(this.#snapshot)) this.#parts.clear()
    this.#snapshot = snapshot
    this.#ofRooms.clear()
    const hoisted = hoistedIn(snapshot)
    for (const list of this.#lists()) list.hoist(hoisted)
  }

  /** @returns undefined for a room that is not there; the list of the space for null */
  of(roomId: string | null): RoomList | undefined {
    if (roomId === null) return this.#ofSpace
    const found = this.#ofRooms.get(roomId) ?? this.#find(roomId)
    if (found !== undefined) this.#ofRooms.set(roomId, found)
    return found
  }

  /** Of those lists of the rooms that not all members are in. */
  viewersOf(roomIds: Iterable<string | null>): RoomViewers[] {
    const lists = new Set([...roomIds].map((roomId) => this.of(roomId)))
    return [...lists].flatMap((list) => list?.viewers ?? [])
  }

  /** Forgets lists of other rooms than these, but for the few that were seen a moment ago. */
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

/** The same for rooms that the same members view; undefined where all do. */
function keyOf({ space, roles, overwrites }: SpaceSnapshot, roomId: string): string | undefined {
  const own = overwrites.get(roomId) ?? []
  const everyone = [roles.get(space.id) ?? []].flat()
  return isViewedByAll({ ...space, everyone }, own) ? undefined : viewKey(own)
}

/** Highest first. */
function hoistedIn(snapshot: SpaceSnapshot | undefined): string[] {
  const hoisted = [...(snapshot?.roles.values() ?? [])].filter(
    (role) => role.hoisted && role.id !== snapshot?.space.id,
  )
  return hoisted.sort((one, other) => other.position - one.position).map(({ id }) => id)
}

/** What decides, besides a room's overwrites, who views it. */
function rightsIn(snapshot: SpaceSnapshot | undefined): string {
  const { Administrator, ViewChannels } = Permission
  const rights = [...(snapshot?.roles.values() ?? [])].map(
    ({ id, permissions }) => `${id} ${permissions & (Administrator | ViewChannels)}`,
  )
  return [snapshot?.space.owner_id, ...rights.sort()].join()
}
