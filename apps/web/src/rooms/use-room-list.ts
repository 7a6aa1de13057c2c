import { Permission } from '@foyer/protocol/permissions'
import type { Room } from '@foyer/protocol/rooms'
import { useMemo } from 'react'
import { usePermissions } from '#src/permissions/use-permissions.ts'
import { useAppState } from '#src/session/context.ts'
import type { RoomGroup } from '#src/store/selectors.ts'
import { manageableRooms } from './manageable-rooms.ts'
import { hiddenRooms } from './private-rooms.ts'
import { listedGroups, type Move } from './room-order.ts'
import { type RoomSigns, roomSigns } from './room-signs.ts'
import { useRoomOrder } from './use-room-order.ts'

export interface ListedRooms {
  readonly groups: readonly RoomGroup[]
  /** The ids of those that the reader may change. */
  readonly managed: ReadonlySet<string>
  readonly mayCreate: boolean
  /** The ids of those that not everyone sees. */
  readonly hidden: ReadonlySet<string>
  /** By their ids, of rooms that have any. */
  readonly signs: Readonly<Record<string, RoomSigns>>
  /** Why the last move did not work. */
  readonly error: string | null
  find(roomId: string): Room | undefined
  move(room: Room, move: Move): void
}

const NONE: ReadonlySet<string> = new Set()

/** A space's rooms as they are listed. Categories without rooms are of use only to who may put some there. */
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
