import type { Member } from '@foyer/protocol/members'
import { RoomType } from '@foyer/protocol/rooms'
import {
  highest,
  type ModelOverwrite,
  may,
  mayAll,
  mayIn,
  mayTouchRole,
  namesIn,
  positionOf,
  type SpaceModel,
} from './space-model.ts'

/** Random numbers that determine a change. */
export interface Dice {
  kind: number
  actor: number
  first: number
  second: number
  flags: number
  more: number
}

/** A request, the status that the specification demands, and its effect on the model. */
export interface Change {
  actor: string
  method: string
  path: string
  body?: object
  status: number
  /** @param id id of the created object */
  apply(id: string): void
}

interface Table {
  space: SpaceModel
  /** Ids of all users, members or not. */
  people: readonly string[]
  actor: string
  dice: Dice
}

const kinds = [
  createRole,
  updateRole,
  updateRole,
  moveRole,
  deleteRole,
  assignRole,
  assignRole,
  removeRole,
  upsertOverwrite,
  upsertOverwrite,
  upsertOverwrite,
  deleteOverwrite,
  createRoom,
  deleteRoom,
  moveRoom,
  leave,
  kick,
  transfer,
]

export function planChange(space: SpaceModel, people: readonly string[], dice: Dice): Change {
  const plan = kinds[dice.kind % kinds.length] ?? createRole
  return plan({ space, people, actor: pick(people, dice.actor), dice })
}

function createRole({ space, actor, dice }: Table): Change {
  const path = `/api/spaces/${space.id}/roles`
  const isAllowed = may(space, actor, 'ManageRoles') && holdsAll(space, actor, dice.flags)
  const body = { name: 'role', permissions: dice.flags }
  return change({ actor, method: 'POST', path, body, status: isAllowed ? 200 : 403 }, (id) => {
    space.roles.splice(1, 0, { id, permissions: dice.flags })
  })
}

function updateRole({ space, actor, dice }: Table): Change {
  const role = pick(space.roles, dice.first)
  const added = namesIn(dice.flags).filter((name) => !namesIn(role.permissions).includes(name))
  const holds = added.every((name) => may(space, actor, name))
  const isAllowed = may(space, actor, 'ManageRoles') && mayTouchRole(space, actor, role.id) && holds
  const path = `/api/spaces/${space.id}/roles/${role.id}`
  const body = { permissions: dice.flags }
  return change({ actor, method: 'PATCH', path, body, status: isAllowed ? 200 : 403 }, () => {
    role.permissions = dice.flags
  })
}

function moveRole(table: Table): Change {
  const { space, actor, dice } = table
  const role = pickIfAny(space.roles.slice(1), dice.first)
  if (role === undefined) return createRole(table)
  const position = 1 + (dice.second % space.roles.length)
  const goal = Math.min(position, space.roles.length - 1)
  const mayMove = space.ownerId === actor || goal < highest(space, actor)
  const isAllowed = may(space, actor, 'ManageRoles') && mayTouchRole(space, actor, role.id) && mayMove
  const path = `/api/spaces/${space.id}/roles/${role.id}`
  return change({ actor, method: 'PATCH', path, body: { position }, status: isAllowed ? 200 : 403 }, () =>
    moveTo(space.roles, role, goal),
  )
}

function deleteRole(table: Table): Change {
  const { space, actor, dice } = table
  const role = pickIfAny(space.roles.slice(1), dice.first)
  if (role === undefined) return createRole(table)
  const isAllowed = may(space, actor, 'ManageRoles') && mayTouchRole(space, actor, role.id)
  const path = `/api/spaces/${space.id}/roles/${role.id}`
  return change({ actor, method: 'DELETE', path, status: isAllowed ? 204 : 403 }, () => {
    space.roles.splice(positionOf(space, role.id), 1)
    for (const roles of space.members.values()) roles.delete(role.id)
    forgetOverwrites(space, ({ targetId }) => targetId === role.id)
  })
}

function assignRole(table: Table): Change {
  return changeRoleOf(table, 'PUT', 200, (roles, roleId) => roles.add(roleId))
}

function removeRole(table: Table): Change {
  return changeRoleOf(table, 'DELETE', 204, (roles, roleId) => roles.delete(roleId))
}

function changeRoleOf(
  table: Table,
  method: string,
  success: number,
  apply: (roles: Set<string>, roleId: string) => void,
): Change {
  const { space, people, actor, dice } = table
  const role = pickIfAny(space.roles.slice(1), dice.first)
  if (role === undefined) return createRole(table)
  const target = pick(people, dice.second)
  const roles = space.members.get(target)
  const path = `/api/spaces/${space.id}/members/${target}/roles/${role.id}`
  const allowed = mayTouchRole(space, actor, role.id) ? success : 403
  const found = roles === undefined ? 404 : allowed
  const status = may(space, actor, 'ManageRoles') ? found : 403
  return change({ actor, method, path, status }, () => {
    if (roles !== undefined) apply(roles, role.id)
  })
}

function upsertOverwrite(table: Table): Change {
  const { space, people, actor, dice } = table
  const room = pickIfAny(space.rooms, dice.first)
  if (room === undefined) return createRoom(table)
  const roles = space.roles.map(({ id }) => ({ targetId: id, targetType: 0 }))
  const users = people.map((targetId) => ({ targetId, targetType: 1 }))
  const target = pick([...roles, ...users], dice.second)
  const known = space.overwrites.find(
    ({ roomId, targetId }) => roomId === room.id && targetId === target.targetId,
  )
  const [allow, deny] = [dice.flags, dice.more]
  const newly = [...fresh(allow, known?.allow), ...fresh(deny, known?.deny)]
  const holds = newly.every((name) => mayIn(space, actor, room.id, name))
  const isThere = target.targetType === 0 || space.members.has(target.targetId)
  const found = isThere ? (mayAll(space, actor) || holds ? 200 : 403) : 404
  const body = {
    target_id: target.targetId,
    target_type: target.targetType,
    allow_flags: allow,
    deny_flags: deny,
  }
  const path = `/api/spaces/${space.id}/rooms/${room.id}/overwrites`
  const status = mayManageRoom(space, actor, room.id) ? found : 403
  return change({ actor, method: 'PUT', path, body, status }, () => {
    forgetOverwrites(space, (overwrite) => overwrite === known)
    space.overwrites.push({ roomId: room.id, ...target, allow, deny })
  })
}

function deleteOverwrite(table: Table): Change {
  const { space, actor, dice } = table
  const known = pickIfAny(space.overwrites, dice.first)
  if (known === undefined) return upsertOverwrite(table)
  const path = `/api/spaces/${space.id}/rooms/${known.roomId}/overwrites/${known.targetId}`
  const status = mayManageRoom(space, actor, known.roomId) ? 204 : 403
  return change({ actor, method: 'DELETE', path, status }, () =>
    forgetOverwrites(space, (overwrite) => overwrite === known),
  )
}

function createRoom({ space, actor, dice }: Table): Change {
  const type = pick([RoomType.Text, RoomType.Voice, RoomType.Category, RoomType.Forum], dice.first)
  const status = may(space, actor, 'ManageChannels') ? 200 : 403
  const path = `/api/spaces/${space.id}/rooms`
  return change({ actor, method: 'POST', path, body: { name: 'room', type }, status }, (id) => {
    space.rooms.push({ id, type, parentId: null })
  })
}

function deleteRoom(table: Table): Change {
  const { space, actor, dice } = table
  const room = pickIfAny(space.rooms, dice.first)
  if (room === undefined) return createRoom(table)
  const status = mayManageRoom(space, actor, room.id) ? 204 : 403
  const path = `/api/spaces/${space.id}/rooms/${room.id}`
  return change({ actor, method: 'DELETE', path, status }, () => {
    space.rooms.splice(space.rooms.indexOf(room), 1)
    for (const child of space.rooms) if (child.parentId === room.id) child.parentId = null
    forgetOverwrites(space, ({ roomId }) => roomId === room.id)
  })
}

function moveRoom(table: Table): Change {
  const { space, actor, dice } = table
  const room = pickIfAny(space.rooms, dice.first)
  if (room === undefined) return createRoom(table)
  const position = dice.second % (space.rooms.length + 1)
  const status = mayManageRoom(space, actor, room.id) ? 200 : 403
  const path = `/api/spaces/${space.id}/rooms/${room.id}`
  return change({ actor, method: 'PATCH', path, body: { position }, status }, () =>
    moveTo(space.rooms, room, Math.min(position, space.rooms.length - 1)),
  )
}

function leave({ space, actor }: Table): Change {
  const isAllowed = space.members.has(actor) && space.ownerId !== actor
  const path = `/api/spaces/${space.id}/members/@me`
  return change({ actor, method: 'DELETE', path, status: isAllowed ? 204 : 403 }, () => forget(space, actor))
}

function kick({ space, people, actor, dice }: Table): Change {
  const target = pick(people, dice.second)
  const isAbove = space.ownerId === actor || highest(space, target) < highest(space, actor)
  const isAllowed = target !== actor && target !== space.ownerId && isAbove
  const found = space.members.has(target) ? (isAllowed ? 204 : 403) : 404
  const status = mayAll(space, actor) ? found : 403
  const path = `/api/spaces/${space.id}/members/${target}`
  return change({ actor, method: 'DELETE', path, status }, () => forget(space, target))
}

function transfer({ space, people, actor, dice }: Table): Change {
  const target = pick(people, dice.second)
  const found = space.members.has(target) ? (target === actor ? 400 : 200) : 404
  const status = space.ownerId === actor ? found : 403
  const path = `/api/spaces/${space.id}/transfer`
  return change({ actor, method: 'POST', path, body: { user_id: target }, status }, () => {
    space.ownerId = target
  })
}

/** Adds a member to the model. */
export function join(space: SpaceModel, { id }: Pick<Member, 'id'>): void {
  space.members.set(id, new Set())
}

function forget(space: SpaceModel, userId: string): void {
  space.members.delete(userId)
  forgetOverwrites(space, ({ targetId }) => targetId === userId)
}

function change(request: Omit<Change, 'apply'>, apply: (id: string) => void): Change {
  return { ...request, apply: (id) => (request.status < 300 ? apply(id) : undefined) }
}

function mayManageRoom(space: SpaceModel, userId: string, roomId: string): boolean {
  return mayIn(space, userId, roomId, 'ViewChannels') && mayIn(space, userId, roomId, 'ManageChannels')
}

function holdsAll(space: SpaceModel, userId: string, flags: number): boolean {
  return namesIn(flags).every((name) => may(space, userId, name))
}

function fresh(flags: number, before = 0) {
  return namesIn(flags).filter((name) => !namesIn(before).includes(name))
}

function forgetOverwrites(space: SpaceModel, isGone: (overwrite: ModelOverwrite) => boolean): void {
  space.overwrites = space.overwrites.filter((overwrite) => !isGone(overwrite))
}

function moveTo<T>(list: T[], item: T, goal: number): void {
  list.splice(list.indexOf(item), 1)
  list.splice(goal, 0, item)
}

/** Picks from a list that is never empty. */
function pick<T>(list: readonly T[], number: number): T {
  const picked = pickIfAny(list, number)
  if (picked === undefined) throw new Error('there is nothing to pick from')
  return picked
}

function pickIfAny<T>(list: readonly T[], number: number): T | undefined {
  return list[number % Math.max(1, list.length)]
}
