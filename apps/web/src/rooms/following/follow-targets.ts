import { Permission } from '@foyer/protocol/permissions'
import { type Room, RoomType } from '@foyer/protocol/rooms'
import { rightsInRoom, rightsInSpace } from '#src/permissions/rights.ts'
import { orderedSpaces, roomGroups } from '#src/store/selectors.ts'
import type { SpaceEntry, State } from '#src/store/state.ts'

/** A space with rooms that can follow an announcement room. */
export interface TargetSpace {
  readonly space: SpaceEntry
  readonly rooms: readonly Room[]
}

type Known = Pick<State, 'spaces' | 'spaceOrder' | 'rooms'>

/** Returns the text rooms in which the user may manage webhooks, by space, without the room to follow. */
export function followTargets(state: Known, sourceId: string): TargetSpace[] {
  return orderedSpaces(state)
    .filter((space) => rightsInSpace(space).may(Permission.ManageSpaceWebhooks))
    .map((space) => ({
      space,
      rooms: roomGroups(state.rooms, space.id)
        .flatMap(({ rooms }) => rooms)
        .filter(({ id, type }) => type === RoomType.Text && id !== sourceId && mayFollowIn(space, id)),
    }))
    .filter(({ rooms }) => rooms.length > 0)
}

function mayFollowIn(space: SpaceEntry, roomId: string): boolean {
  const rights = rightsInRoom(space, roomId)
  return rights.may(Permission.ManageSpaceWebhooks) && rights.may(Permission.SendMessages)
}
