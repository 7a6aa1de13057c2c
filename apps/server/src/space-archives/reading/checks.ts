import { areKnownCapabilities } from '@foyer/protocol/capabilities'
import { MAX_AUTOMOD_CHARACTERS, MAX_SPACE_OVERWRITES } from '@foyer/protocol/limits'
import { areKnownFlags } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import { problemOf } from '#src/moderation/screening/matching/trigger-problems.ts'
import {
  type ArchivedImage,
  type ArchivedRole,
  type ArchivedRoom,
  type ArchivedRule,
  type ArchivedSpace,
  SPACE_NAME,
} from '../format.ts'
import { ArchiveError } from './archive-error.ts'
import { problemOfForums } from './forum-checks.ts'

/**
 * Checks references between the parts of a space, which a schema cannot do.
 * @throws ArchiveError
 */
export function checkSpace(space: ArchivedSpace): void {
  const roles = new Set(uniqueIds('roles', space.roles))
  const rooms = new Map(space.rooms.map((room) => [room.id, room]))
  uniqueIds('rooms', space.rooms)
  const problem = problemOfForums(space.rooms)
  if (problem !== undefined) refuse(problem)
  for (const role of space.roles) checkBits(`the role ${role.name}`, role)
  for (const room of space.rooms) checkRoom(room, rooms, roles)
  const overwrites = space.rooms.reduce((sum, room) => sum + room.overwrites.length, 0)
  if (overwrites > MAX_SPACE_OVERWRITES) refuse(`it has more than ${MAX_SPACE_OVERWRITES} overwrites`)
  if (space.system_room_id !== null && rooms.get(space.system_room_id)?.type !== RoomType.Text)
    refuse('system_room_id must be a text room of the space')
  for (const rule of space.automod_rules) checkRule(rule, rooms, roles)
  const characters = space.automod_rules.reduce((sum, { trigger }) => sum + JSON.stringify(trigger).length, 0)
  if (characters > MAX_AUTOMOD_CHARACTERS) refuse('its automod rules are too large')
  checkImages('emojis', space.emojis)
  checkImages('stickers', space.stickers)
}

function refuse(complaint: string): never {
  throw new ArchiveError(`${SPACE_NAME}: ${complaint}`)
}

function uniqueIds(list: string, things: readonly { id: string }[]): string[] {
  const ids = things.map(({ id }) => id)
  if (new Set(ids).size < ids.length) refuse(`${list} has an id twice`)
  return ids
}

function checkBits(
  where: string,
  { permissions, capabilities }: Pick<ArchivedRole, 'permissions' | 'capabilities'>,
) {
  if (!areKnownFlags(permissions)) refuse(`${where} has unknown permissions`)
  if (!areKnownCapabilities(capabilities)) refuse(`${where} has unknown capabilities`)
}

/** Checks a room. A category must not be in another category, so that categories cannot form a cycle. */
function checkRoom(
  room: ArchivedRoom,
  rooms: ReadonlyMap<string, ArchivedRoom>,
  roles: ReadonlySet<string>,
): void {
  const where = `the room ${room.name}`
  if (room.parent_id !== null && room.type === RoomType.Category)
    refuse(`${where} is a category in a category`)
  if (room.parent_id !== null && rooms.get(room.parent_id)?.type !== RoomType.Category)
    refuse(`${where} is in a room that is no category of the space`)
  const targets = room.overwrites.map(({ role_id }) => role_id)
  if (new Set(targets).size < targets.length) refuse(`${where} has two overwrites for one role`)
  if (!targets.every((id) => roles.has(id))) refuse(`${where} has an overwrite for an unknown role`)
  for (const { allow_flags, deny_flags, allow_capabilities, deny_capabilities } of room.overwrites) {
    checkBits(where, { permissions: allow_flags, capabilities: allow_capabilities })
    checkBits(where, { permissions: deny_flags, capabilities: deny_capabilities })
  }
}

function checkRule(
  { name, trigger, alert_room_id, exempt_role_ids, exempt_room_ids }: ArchivedRule,
  rooms: ReadonlyMap<string, ArchivedRoom>,
  roles: ReadonlySet<string>,
): void {
  const where = `the automod rule ${name}`
  const problem = problemOf(trigger)
  if (problem !== undefined) refuse(`${where}: ${problem}`)
  const alertRoom = alert_room_id === null ? undefined : rooms.get(alert_room_id)
  const takesNone = alertRoom?.type === RoomType.Category || alertRoom?.type === RoomType.Forum
  if (alert_room_id !== null && (alertRoom === undefined || takesNone))
    refuse(`${where} names an unknown room`)
  if (!exempt_role_ids.every((id) => roles.has(id))) refuse(`${where} names an unknown role`)
  if (!exempt_room_ids.every((id) => rooms.has(id))) refuse(`${where} names an unknown room`)
}

function checkImages(list: string, images: readonly ArchivedImage[]): void {
  uniqueIds(list, images)
  const names = new Set(images.map(({ name }) => name.toLowerCase()))
  if (names.size < images.length) refuse(`${list} has a name twice`)
}
