import type { Room } from '@foyer/protocol/rooms'

/** What becomes of a space's rooms, given and answered in their order, when one of them changes: pure. */

/** The rooms with the changed one at its position; past the end that is the last. */
export function withRoom(rooms: readonly Room[], changed: Room): Room[] {
  const others = rooms.filter(({ id }) => id !== changed.id)
  return renumbered(others.toSpliced(changed.position, 0, changed))
}

/** The rooms without the one; those of a category that goes stand alone. */
export function withoutRoom(rooms: readonly Room[], roomId: string): Room[] {
  const others = rooms.filter(({ id }) => id !== roomId)
  return renumbered(others.map((room) => (room.parent_id === roomId ? { ...room, parent_id: null } : room)))
}

/** Those of the rooms that are not as they were. */
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
    one.position === other.position
  )
}
