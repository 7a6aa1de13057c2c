import { type Room, RoomType, type UpdateRoomBody } from '@foyer/protocol/rooms'
import { type RoomGroup, roomGroups } from '#src/store/selectors.ts'
import type { State } from '#src/store/state.ts'

/**
 * The order of rooms in the list, and moves within it. Positions count all rooms of the space, including those the user
 * cannot see, in every category. A moved room is placed directly before or after a visible one.
 */

/** Target position of a moved room: among the rooms of a category or without one. A category moves among the categories. */
export interface RoomSlot {
  readonly parentId: string | null
  /** Id of the room that follows the slot; null for the slot at the end. */
  readonly beforeId: string | null
}

/** The request body that moves a room. */
export type Move = Required<Pick<UpdateRoomBody, 'position'>> & Pick<UpdateRoomBody, 'parent_id'>

/** Returns a space's rooms by category, including those empty categories that `isShownEmpty` accepts. */
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

/** Returns the move that brings the room to the slot, or null if it is already there. */
export function moveTo(groups: readonly RoomGroup[], room: Room, slot: RoomSlot): Move | null {
  const siblings = siblingsAt(groups, room, slot.parentId)
  const others = siblings.filter(({ id }) => id !== room.id)
  const found = others.findIndex(({ id }) => id === slot.beforeId)
  const index = found === -1 ? others.length : found
  const [previous, next] = [others[index - 1], others[index]]
  const isAtHome = others.length < siblings.length
  if (isAtHome && siblings[index]?.id === room.id) return null
  const position = previous !== undefined ? positionAfter(previous, room) : next && positionBefore(next, room)
  return { position: position ?? room.position, ...(isAtHome ? {} : { parent_id: slot.parentId }) }
}

/** Returns the rooms as the server will have them after the move. */
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

/** Returns the slot one step up. The first room of a category moves to the end of the previous one. Null at the top. */
export function slotAbove(groups: readonly RoomGroup[], room: Room): RoomSlot | null {
  const { group, parentId, siblings, index } = locate(groups, room)
  const above = siblings[index - 1]
  if (above !== undefined) return { parentId, beforeId: above.id }
  if (room.type === RoomType.Category || parentId === null) return null
  return { parentId: groups[group - 1]?.category?.id ?? null, beforeId: null }
}

/** Returns the slot one step down, or null at the bottom. */
export function slotBelow(groups: readonly RoomGroup[], room: Room): RoomSlot | null {
  const { group, parentId, siblings, index } = locate(groups, room)
  if (index < siblings.length - 1) return { parentId, beforeId: siblings[index + 2]?.id ?? null }
  const next = groups[group + 1]
  if (room.type === RoomType.Category || !next) return null
  return { parentId: next.category?.id ?? null, beforeId: next.rooms[0]?.id ?? null }
}

/** Returns the slot for a room dragged over the upper or lower half of another room or a category's name. */
export function slotAt(
  groups: readonly RoomGroup[],
  dragged: Room,
  over: { id: string; half: 'upper' | 'lower' },
): RoomSlot | null {
  const index = groups.findIndex(
    ({ category, rooms }) => category?.id === over.id || rooms.some((room) => room.id === over.id),
  )
  const group = groups[index]
  if (over.id === dragged.id || group === undefined) return null
  if (dragged.type === RoomType.Category) return categorySlot(groups, dragged, { ...over, index })
  const others = group.rooms.filter((room) => room.id !== dragged.id)
  const parentId = group.category?.id ?? null
  if (parentId === over.id && over.half === 'upper')
    return { parentId: groups[index - 1]?.category?.id ?? null, beforeId: null }
  const at = others.findIndex((room) => room.id === over.id)
  return { parentId, beforeId: others[over.half === 'upper' ? at : at + 1]?.id ?? null }
}

/** Returns the row next to the slot, and the side of the row to mark. */
export function markOf(
  groups: readonly RoomGroup[],
  dragged: Room,
  { parentId, beforeId }: RoomSlot,
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

function categorySlot(
  groups: readonly RoomGroup[],
  dragged: Room,
  { id, half, index }: { id: string; half: 'upper' | 'lower'; index: number },
): RoomSlot {
  const isBefore = groups[index]?.category?.id === id && half === 'upper'
  const following = groups.slice(isBefore ? index : index + 1).map((group) => group.category)
  const next = following.find((category) => category !== null && category.id !== dragged.id)
  return { parentId: null, beforeId: next?.id ?? null }
}

function locate(groups: readonly RoomGroup[], room: Room) {
  const isCategory = room.type === RoomType.Category
  const group = groups.findIndex(({ category, rooms }) =>
    isCategory ? category?.id === room.id : rooms.some(({ id }) => id === room.id),
  )
  const parentId = isCategory ? null : (groups[group]?.category?.id ?? null)
  const siblings = siblingsAt(groups, room, parentId)
  return { group, parentId, siblings, index: siblings.findIndex(({ id }) => id === room.id) }
}

/** Returns the rooms that share the parent. For a category, all categories. */
function siblingsAt(groups: readonly RoomGroup[], room: Room, parentId: string | null): readonly Room[] {
  if (room.type === RoomType.Category)
    return groups.map((group) => group.category).filter((category) => category !== null)
  return groups.find((group) => (group.category?.id ?? null) === parentId)?.rooms ?? []
}

/** The server removes the room before it counts positions. */
function positionBefore(other: Room, room: Room): number {
  return other.position - (other.position > room.position ? 1 : 0)
}

function positionAfter(other: Room, room: Room): number {
  return positionBefore(other, room) + 1
}

function isLoose({ category }: RoomGroup): boolean {
  return category === null
}

function byCategory(a: RoomGroup, b: RoomGroup): number {
  const [one, other] = [a.category, b.category]
  if (one === null || other === null) return 0
  return one.position - other.position || (one.id < other.id ? -1 : 1)
}
