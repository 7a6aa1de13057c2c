import type { Events } from '@foyer/protocol/events'
import type { Role, RoomOverwrite } from '@foyer/protocol/roles'
import { withoutRole } from './members.ts'
import type { SpaceEntry, State } from './state.ts'

export const roleReducers = {
  SPACE_ROLE_CREATE: (state: State, role: Events['SPACE_ROLE_CREATE']): State => withRole(state, role),
  SPACE_ROLE_UPDATE: (state: State, role: Events['SPACE_ROLE_UPDATE']): State => withRole(state, role),
  /** Removes the role, also from members and overwrites. */
  SPACE_ROLE_DELETE: (state: State, { space_id, role_id }: Events['SPACE_ROLE_DELETE']): State => {
    const changed = withChanged(state, space_id, ({ roles, overwrites, member, ...space }) => ({
      ...space,
      roles: roles.filter((role) => role.id !== role_id),
      overwrites: overwrites.filter((overwrite) => overwrite.target_id !== role_id),
      member: { ...member, roles: member.roles.filter((id) => id !== role_id) },
    }))
    return withoutRole(changed, space_id, role_id)
  },
  ROOM_OVERWRITE_UPDATE: (state: State, { space_id, ...overwrite }: Events['ROOM_OVERWRITE_UPDATE']): State =>
    withChanged(state, space_id, (space) => ({
      ...space,
      overwrites: [...space.overwrites.filter((other) => !isOf(other, overwrite)), overwrite],
    })),
  ROOM_OVERWRITE_DELETE: (state: State, gone: Events['ROOM_OVERWRITE_DELETE']): State =>
    withChanged(state, gone.space_id, (space) => ({
      ...space,
      overwrites: space.overwrites.filter((overwrite) => !isOf(overwrite, gone)),
    })),
}

function withRole(state: State, role: Role): State {
  return withChanged(state, role.space_id, (space) => ({
    ...space,
    roles: [...space.roles.filter((other) => other.id !== role.id), role],
  }))
}

function withChanged(state: State, spaceId: string, change: (space: SpaceEntry) => SpaceEntry): State {
  const space = state.spaces[spaceId]
  if (space === undefined) return state
  return { ...state, spaces: { ...state.spaces, [spaceId]: change(space) } }
}

function isOf(overwrite: RoomOverwrite, key: Pick<RoomOverwrite, 'room_id' | 'target_id'>): boolean {
  return overwrite.room_id === key.room_id && overwrite.target_id === key.target_id
}
