import { isDeepStrictEqual } from 'node:util'
import type { Room } from '@foyer/protocol/rooms'

/** Pure functions: each takes a space's rooms in order, and returns them in order after a change. */

/** Returns the rooms with the changed room at its position. A position beyond the end makes it the last room. */
export function withRoom(rooms: readonly Room[], changed: Room): Room[] {
  const others = rooms.filter(({ id }) => id !== changed.id)
  return renumbered(others.toSpliced(changed.position, 0, changed))
}

/** Returns the rooms without the given room. If it is a category, its rooms lose their parent. */
export function withoutRoom(rooms: readonly Room[], roomId: string): Room[] {
  const others = rooms.filter(({ id }) => id !== roomId)
  return renumbered(others.map((room) => (room.parent_id === roomId ? { ...room, parent_id: null } : room)))
}

/** Returns the rooms that differ from before. */
export function changedRooms(before: ReadonlyMap<string, Room>, after: readonly Room[]): Room[] {
  return after.filter((room) => {
    const old = before.get(room.id)
    return old === undefined || !isSame(old, room)
  })
}

function renumbered(rooms: readonly Room[]): Room[] {
  return rooms.map((room, position) => ({ ...room, position }))
}

function isSame(one: Room, other: Room): boolean {
  return (
    one.name === other.name &&
    one.description === other.description &&
    one.parent_id === other.parent_id &&
    one.position === other.position &&
    one.slow_mode_seconds === other.slow_mode_seconds &&
    one.retention_days === other.retention_days &&
    (one.replies ?? 'room') === (other.replies ?? 'room') &&
    (one.announces ?? false) === (other.announces ?? false) &&
    isDeepStrictEqual(one.forum, other.forum)
  )
}
