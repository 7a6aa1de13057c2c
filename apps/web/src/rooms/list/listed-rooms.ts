import type { Room } from '@foyer/protocol/rooms'
import type { State } from '#src/store/state.ts'

/**
 * Returns a selector for a space's rooms. It returns the same objects until the displayed data changes: every message changes
 * the entry of its room, and rendering 500 rooms for each message would be too slow.
 */
export function listedRooms(spaceId: string): (rooms: State['rooms']) => State['rooms'] {
  let seen: State['rooms'] = {}
  let listed: State['rooms'] = {}
  return (rooms) => {
    if (rooms === seen) return listed
    seen = rooms
    const now = Object.values(rooms).filter((room) => room.space_id === spaceId)
    const kept = now.map((room) => {
      const known = listed[room.id]
      return known !== undefined && looksSame(known, room) ? known : room
    })
    const isSame =
      kept.length === Object.keys(listed).length && kept.every((room) => listed[room.id] === room)
    if (!isSame) listed = Object.fromEntries(kept.map((room) => [room.id, room]))
    return listed
  }
}

function looksSame(one: Room, other: Room): boolean {
  return (
    one.name === other.name &&
    one.type === other.type &&
    one.announces === other.announces &&
    one.position === other.position &&
    one.parent_id === other.parent_id
  )
}
