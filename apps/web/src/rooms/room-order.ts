import { type Room, RoomType, type UpdateRoomBody } from '@foyer/protocol/rooms'
import { type RoomGroup, roomGroups } from '#src/store/selectors.ts'
import type { State } from '#src/store/state.ts'

/**
 * Where rooms stand in the list, and how they move there. Positions count all rooms of the space, also those that the
 * reader does not see, whatever their category: a room is put right behind or before one that is seen.
 */

/** A place among the rooms of a category, or of none; for a category, among the categories. */
export interface Place {
  readonly parentId: string | null
  /** The one that it comes before; null for the end. */
  readonly beforeId: string | null
}

/** What to send so that the room moves. */
export type Move = Required<Pick<UpdateRoomBody, 'position'>> & Pick<UpdateRoomBody, 'parent_id'>

/** A space's rooms by category, with the categories that have no room to show where they are shown all the same. */
export function listedGroups(
  rooms: State['rooms'],
  spaceId: string,
  isShownEmpty: (category: Room) => boolean,
): RoomGroup[] {
  const groups = roomGroups(rooms, spaceId)
  const filled = new Set(groups.map((group) => group.category?.id))
  const empty = Object.values(rooms).filter(
    (room) =>
      room.space_id === spaceId &&
      room.type === RoomType.Category &&
      !filled.has(room.id) &&
      isShownEmpty(room),
  )
  const [loose, named] = [groups.filter(isLoose), groups.filter((group) => !isLoose(group))]
  return [...loose, ...[...named, ...empty.map((category) => ({ category, rooms: [] }))].sort(byCategory)]
}

/** How the room gets to the place; null when it is there. */
export function moveTo(groups: readonly RoomGroup[], room: Room, place: Place): Move | null {
  const siblings = siblingsAt(groups, room, place.parentId)
  const others = siblings.filter(({ id }) => id !== room.id)
  const found = others.findIndex(({ id }) => id === place.beforeId)
  const index = found === -1 ? others.length : found
  const [previous, next] = [others[index - 1], others[index]]
  const isAtHome = others.length < siblings.length
  if (isAtHome && siblings[index]?.id === room.id) return null
  const position = previous !== undefined ? behind(previous, room) : next && before(next, room)
  return { position: position ?? room.position, ...(isAtHome ? {} : { parent_id: place.parentId }) }
}

/** The space's rooms as the server has them after the move. */
export function withMove(rooms: State['rooms'], room: Room, { position, parent_id }: Move): State['rooms'] {
  const aside = (other: Room) => {
    const closed = other.position - (other.position > room.position ? 1 : 0)
    return { ...other, position: closed + (closed >= position ? 1 : 0) }
  }
  const moved = { ...room, position, ...(parent_id === undefined ? {} : { parent_id }) }
  return Object.fromEntries(
    Object.entries(rooms).map(([id, other]) => {
      if (other.space_id !== room.space_id) return [id, other]
      return [id, id === room.id ? moved : aside(other)]
    }),
  )
}

/** One step up: before the one above, from the top of a category to the end of the one above. Null at the very top. */
export function placeAbove(groups: readonly RoomGroup[], room: Room): Place | null {
  const { group, parentId, siblings, index } = standing(groups, room)
  const above = siblings[index - 1]
  if (above !== undefined) return { parentId, beforeId: above.id }
  if (room.type === RoomType.Category || parentId === null) return null
  return { parentId: groups[group - 1]?.category?.id ?? null, beforeId: null }
}

/** One step down, likewise. */
export function placeBelow(groups: readonly RoomGroup[], room: Room): Place | null {
  const { group, parentId, siblings, index } = standing(groups, room)
  if (index < siblings.length - 1) return { parentId, beforeId: siblings[index + 2]?.id ?? null }
  const next = groups[group + 1]
  if (room.type === RoomType.Category || !next) return null
  return { parentId: next.category?.id ?? null, beforeId: next.rooms[0]?.id ?? null }
}

/** Where the dragged room lands that is held over the upper or the lower half of another, or of a category's name. */
export function placeAt(
  groups: readonly RoomGroup[],
  dragged: Room,
  over: { id: string; half: 'upper' | 'lower' },
): Place | null {
  const index = groups.findIndex(
    ({ category, rooms }) => category?.id === over.id || rooms.some((room) => room.id === over.id),
  )
  const group = groups[index]
  if (over.id === dragged.id || group === undefined) return null
  if (dragged.type === RoomType.Category) return categoryPlace(groups, dragged, { ...over, index })
  const others = group.rooms.filter((room) => room.id !== dragged.id)
  const parentId = group.category?.id ?? null
  if (parentId === over.id && over.half === 'upper')
    return { parentId: groups[index - 1]?.category?.id ?? null, beforeId: null }
  const at = others.findIndex((room) => room.id === over.id)
  return { parentId, beforeId: others[over.half === 'upper' ? at : at + 1]?.id ?? null }
}

/** Beside which row, and on which side of it, the place is. */
export function markOf(
  groups: readonly RoomGroup[],
  dragged: Room,
  { parentId, beforeId }: Place,
): { id: string; side: 'before' | 'after' } | null {
  if (beforeId !== null) return { id: beforeId, side: 'before' }
  const isCategory = dragged.type === RoomType.Category
  const group = isCategory
    ? groups.at(-1)
    : groups.find(({ category }) => (category?.id ?? null) === parentId)
  const last = group?.rooms.at(-1) ?? group?.category
  if (last) return { id: last.id, side: 'after' }
  const first = groups[0]?.category
  return first ? { id: first.id, side: 'before' } : null
}

function categoryPlace(
  groups: readonly RoomGroup[],
  dragged: Room,
  { id, half, index }: { id: string; half: 'upper' | 'lower'; index: number },
): Place {
  const isBefore = groups[index]?.category?.id === id && half === 'upper'
  const following = groups.slice(isBefore ? index : index + 1).map((group) => group.category)
  const next = following.find((category) => category !== null && category.id !== dragged.id)
  return { parentId: null, beforeId: next?.id ?? null }
}

function standing(groups: readonly RoomGroup[], room: Room) {
  const isCategory = room.type === RoomType.Category
  const group = groups.findIndex(({ category, rooms }) =>
    isCategory ? category?.id === room.id : rooms.some(({ id }) => id === room.id),
  )
  const parentId = isCategory ? null : (groups[group]?.category?.id ?? null)
  const siblings = siblingsAt(groups, room, parentId)
  return { group, parentId, siblings, index: siblings.findIndex(({ id }) => id === room.id) }
}

/** Those that the room stands among, or would. */
function siblingsAt(groups: readonly RoomGroup[], room: Room, parentId: string | null): readonly Room[] {
  if (room.type === RoomType.Category)
    return groups.map((group) => group.category).filter((category) => category !== null)
  return groups.find((group) => (group.category?.id ?? null) === parentId)?.rooms ?? []
}

/** The server takes the room out before it counts. */
function before(other: Room, room: Room): number {
  return other.position - (other.position > room.position ? 1 : 0)
}

function behind(other: Room, room: Room): number {
  return before(other, room) + 1
}

function isLoose({ category }: RoomGroup): boolean {
  return category === null
}

function byCategory(a: RoomGroup, b: RoomGroup): number {
  const [one, other] = [a.category, b.category]
  if (one === null || other === null) return 0
  return one.position - other.position || (one.id < other.id ? -1 : 1)
}
