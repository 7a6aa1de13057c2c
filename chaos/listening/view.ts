import type { Conversation } from '@foyer/protocol/conversations'
import type { EventName, Events } from '@foyer/protocol/events'
import type { Role, RoomOverwrite } from '@foyer/protocol/roles'
import type { Room } from '@foyer/protocol/rooms'
import type { SpaceState } from '@foyer/protocol/spaces'

interface SpaceView {
  name: string
  ownerId: string
  rooms: Map<string, Room>
  roles: Map<string, Role>
  overwrites: Map<string, RoomOverwrite>
  ownRoles: readonly string[]
  nickname: string | null
  memberCount: number
}

interface GroupView {
  name: string | null
  ownerId: string | null
  members: Set<string>
}

type Handlers = { [Name in EventName]?: (data: Events[Name]) => void }

/** A minimal client: the spaces and conversations that result from applying the gateway's events. */
export class View {
  readonly #userId: string
  readonly #spaces = new Map<string, SpaceView>()
  readonly #groups = new Map<string, GroupView>()
  readonly #handlers: Handlers = {
    READY: ({ spaces, conversations }) => {
      this.#spaces.clear()
      this.#groups.clear()
      for (const space of spaces) this.#enter(space)
      for (const conversation of conversations) this.#list(conversation)
    },
    SPACE_CREATE: (space) => this.#enter(space),
    SPACE_UPDATE: ({ id, name, owner_id }) => this.#in(id, { name, ownerId: owner_id }),
    SPACE_DELETE: ({ space_id }) => void this.#spaces.delete(space_id),
    SPACE_MEMBER_CREATE: ({ space_id, member_count }) => this.#in(space_id, { memberCount: member_count }),
    SPACE_MEMBER_DELETE: ({ space_id, member_count }) => this.#in(space_id, { memberCount: member_count }),
    SPACE_MEMBER_UPDATE: ({ space_id, user_id, roles, nickname }) => {
      if (user_id === this.#userId) this.#in(space_id, { ownRoles: roles, nickname })
    },
    SPACE_ROLE_CREATE: (role) => this.#spaces.get(role.space_id)?.roles.set(role.id, role),
    SPACE_ROLE_UPDATE: (role) => this.#spaces.get(role.space_id)?.roles.set(role.id, role),
    SPACE_ROLE_DELETE: ({ space_id, role_id }) => this.#dropRole(space_id, role_id),
    ROOM_CREATE: (room) => this.#spaces.get(room.space_id)?.rooms.set(room.id, room),
    ROOM_UPDATE: (room) => this.#spaces.get(room.space_id)?.rooms.set(room.id, room),
    ROOM_DELETE: ({ space_id, room_id }) => this.#dropRoom(space_id, room_id),
    ROOM_OVERWRITE_UPDATE: (overwrite) =>
      this.#spaces.get(overwrite.space_id)?.overwrites.set(keyOf(overwrite), overwrite),
    ROOM_OVERWRITE_DELETE: (overwrite) =>
      this.#spaces.get(overwrite.space_id)?.overwrites.delete(keyOf(overwrite)),
    CONVERSATION_CREATE: (conversation) => this.#list(conversation),
    CONVERSATION_UPDATE: (conversation) => {
      if (this.#groups.has(conversation.id)) this.#list(conversation)
    },
    CONVERSATION_DELETE: ({ conversation_id }) => void this.#groups.delete(conversation_id),
    CONVERSATION_MEMBER_ADD: ({ conversation_id, user }) =>
      this.#groups.get(conversation_id)?.members.add(user.id),
    CONVERSATION_MEMBER_REMOVE: ({ conversation_id, user_id }) =>
      this.#groups.get(conversation_id)?.members.delete(user_id),
  }

  constructor(userId: string) {
    this.#userId = userId
  }

  apply<Name extends EventName>(name: Name, data: Events[Name]): void {
    const handler: Handlers[Name] = this.#handlers[name]
    handler?.(data)
  }

  roomsOf(spaceId: string): string[] {
    return [...(this.#spaces.get(spaceId)?.rooms.keys() ?? [])]
  }

  /** Describes the whole view in sorted lines, which are equal for clients that know the same. */
  lines(): string[] {
    const spaces = [...this.#spaces].flatMap(([id, space]) =>
      linesOf(space).map((line) => `space ${id} ${line}`),
    )
    const groups = [...this.#groups].map(
      ([id, { name, ownerId, members }]) => `group ${id} ${name} of ${ownerId}: ${[...members].sort()}`,
    )
    return [...spaces, ...groups].sort()
  }

  #enter(state: SpaceState): void {
    this.#spaces.set(state.id, {
      name: state.name,
      ownerId: state.owner_id,
      rooms: new Map(state.rooms.map((room) => [room.id, room])),
      roles: new Map(state.roles.map((role) => [role.id, role])),
      overwrites: new Map(state.overwrites.map((overwrite) => [keyOf(overwrite), overwrite])),
      ownRoles: state.member.roles,
      nickname: state.member.nickname,
      memberCount: state.member_count,
    })
  }

  #list({ id, name, owner_id, recipients }: Conversation): void {
    this.#groups.set(id, { name, ownerId: owner_id, members: new Set(recipients.map((user) => user.id)) })
  }

  #in(spaceId: string, change: Partial<SpaceView>): void {
    const space = this.#spaces.get(spaceId)
    if (space !== undefined) Object.assign(space, change)
  }

  #dropRole(spaceId: string, roleId: string): void {
    const space = this.#spaces.get(spaceId)
    if (space === undefined) return
    space.roles.delete(roleId)
    space.ownRoles = space.ownRoles.filter((id) => id !== roleId)
    dropOverwrites(space, ({ target_id }) => target_id === roleId)
  }

  #dropRoom(spaceId: string, roomId: string): void {
    const space = this.#spaces.get(spaceId)
    if (space === undefined) return
    space.rooms.delete(roomId)
    dropOverwrites(space, ({ room_id }) => room_id === roomId)
  }
}

function dropOverwrites(space: SpaceView, isGone: (overwrite: RoomOverwrite) => boolean): void {
  for (const [key, overwrite] of space.overwrites) if (isGone(overwrite)) space.overwrites.delete(key)
}

/** Lists the order, not the positions: events contain only positions that a request changed, not those that shift with them. */
function linesOf(space: SpaceView): string[] {
  const { name, ownerId, ownRoles, nickname, memberCount, rooms, roles, overwrites } = space
  return [
    `is ${name} of ${ownerId} with ${memberCount} members`,
    `knows me as ${nickname} with ${ownRoles.toSorted()}`,
    ...inOrder(rooms).map((room, index) => `room ${index} ${room.id} ${room.name}`),
    ...inOrder(roles).map((role, index) => `role ${index} ${role.id} ${role.name} ${role.permissions}`),
    ...[...overwrites].map(
      ([key, { allow_flags, deny_flags }]) => `overwrite ${key} ${allow_flags} ${deny_flags}`,
    ),
  ]
}

function inOrder<Part extends { id: string; position: number }>(parts: ReadonlyMap<string, Part>): Part[] {
  return [...parts.values()].toSorted(
    (one, other) => one.position - other.position || (one.id < other.id ? -1 : 1),
  )
}

function keyOf({ room_id, target_id }: Pick<RoomOverwrite, 'room_id' | 'target_id'>): string {
  return `${room_id} ${target_id}`
}
