import type { Room } from '@foyer/protocol/rooms'
import type { RoomGroup } from '#src/store/selectors.ts'
import type { RoomSigns } from './room-signs.ts'

/** Rooms that are rendered together or not at all. */
export interface Chunk {
  readonly rooms: readonly Room[]
  /** Number of rows above the chunk in the list. */
  readonly above: number
  /** Number of rooms before the chunk in its group. */
  readonly before: number
}

export interface ShownGroup {
  readonly category: Room | null
  readonly count: number
  readonly chunks: readonly Chunk[]
}

interface Showing {
  readonly folded: ReadonlySet<string>
  readonly signs: Readonly<Record<string, RoomSigns>>
  readonly currentRoomId: string | null
}

export const CHUNK = 25

/** Returns the groups to show. A collapsed category keeps the rooms that are unread or open. */
export function shownGroups(groups: readonly RoomGroup[], showing: Showing): ShownGroup[] {
  let above = 0
  return groups.map(({ category, rooms }) => {
    if (category !== null) above += 1
    const isFolded = category !== null && showing.folded.has(category.id)
    const shown = isFolded ? rooms.filter(({ id }) => staysShown(id, showing)) : rooms
    const chunks: Chunk[] = []
    for (let before = 0; before < shown.length; before += CHUNK)
      chunks.push({ rooms: shown.slice(before, before + CHUNK), above: above + before, before })
    above += shown.length
    return { category, count: shown.length, chunks }
  })
}

function staysShown(id: string, { signs, currentRoomId }: Showing): boolean {
  const { isUnread = false, mentions = 0 } = signs[id] ?? {}
  return id === currentRoomId || isUnread || mentions > 0
}

/** Returns the ids of all rows, from the top down. */
export function rowsOf(groups: readonly ShownGroup[]): string[] {
  return groups.flatMap(({ category, chunks }) => [
    ...(category === null ? [] : [category.id]),
    ...chunks.flatMap(({ rooms }) => rooms.map(({ id }) => id)),
  ])
}
