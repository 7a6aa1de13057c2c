import type { Room } from '@foyer/protocol/rooms'
import type { State } from '#src/store/state.ts'

/**
 * Picks a space's rooms out of all, and answers with the same objects as long as nothing of them that a list shows is
 * another: a message changes a room, and with 500 of them a list that is drawn anew for each would be busy with nothing else.
 */
export function listedRooms(spaceId: string): (rooms: State['rooms']) => State['rooms'] {
  let told: State['rooms'] = {}
  let listed: State['rooms'] = {}
  return (rooms) => {
    if (rooms === told) return listed
    told = rooms
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
    one.position === other.position &&
    one.parent_id === other.parent_id
  )
}
