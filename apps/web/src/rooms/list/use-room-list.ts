import { Permission } from '@foyer/protocol/permissions'
import type { Room } from '@foyer/protocol/rooms'
import { useMemo } from 'react'
import { usePermissions } from '#src/permissions/use-permissions.ts'
import { useAppState } from '#src/session/context.ts'
import type { RoomGroup } from '#src/store/selectors.ts'
import { manageableRooms } from '../manageable-rooms.ts'
import { hiddenRooms } from '../names/private-rooms.ts'
import { listedGroups, type Move } from './room-order.ts'
import { type RoomSigns, roomSigns } from './room-signs.ts'
import { useRoomOrder } from './use-room-order.ts'

export interface ListedRooms {
  readonly groups: readonly RoomGroup[]
  /** Ids of the rooms the user may edit. */
  readonly managed: ReadonlySet<string>
  readonly mayCreate: boolean
  /** Ids of the rooms hidden from @everyone. */
  readonly hidden: ReadonlySet<string>
  /** Markers by room id, for rooms that have any. */
  readonly signs: Readonly<Record<string, RoomSigns>>
  /** Error of the last move. */
  readonly error: string | null
  find(roomId: string): Room | undefined
  move(room: Room, move: Move): void
}

const NONE: ReadonlySet<string> = new Set()

/** Returns a space's rooms as listed. An empty category is listed only for members who may add rooms to it. */
export function useRoomList(spaceId: string): ListedRooms {
  const { rooms, error, move } = useRoomOrder(spaceId)
  const space = useAppState((state) => state.spaces[spaceId])
  const mayCreate = usePermissions(spaceId).may(Permission.ManageChannels)
  const managed = useMemo(() => (space ? manageableRooms(rooms, space) : NONE), [rooms, space])
  const groups = useMemo(
    () => listedGroups(rooms, spaceId, ({ id }) => mayCreate || managed.has(id)),
    [rooms, spaceId, mayCreate, managed],
  )
  const hidden = useMemo(() => (space ? hiddenRooms(rooms, space) : NONE), [rooms, space])
  const readSigns = useMemo(() => roomSigns(rooms), [rooms])
  const signs = useAppState(readSigns)
  return { groups, managed, mayCreate, hidden, signs, error, move, find: (id) => rooms[id] }
}
