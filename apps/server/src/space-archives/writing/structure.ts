import type { AutomodRule } from '@foyer/protocol/automod'
import { OverwriteTarget } from '@foyer/protocol/permissions'
import type { Role, RoomOverwrite } from '@foyer/protocol/roles'
import type { Room } from '@foyer/protocol/rooms'
import type { SpaceImage } from '@foyer/protocol/space-images'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { listRules } from '#src/moderation/screening/queries.ts'
import { listOverwrites, listRoles, listRooms, listSpaceImages } from '#src/spaces/queries.ts'
import type { ArchivedOverwrite, ArchivedRole, ArchivedRoom, ArchivedRule, ArchivedSpace } from '../format.ts'
import { findSettings } from './queries.ts'

/** A picture of the space: the name of its entry, and its file. */
export interface Picture {
  entry: string
  fileId: string
}

export interface Structure {
  space: ArchivedSpace
  pictures: Picture[]
  memberOverwrites: number
}

/** Reads a space without its messages; undefined for a deleted one. */
export async function readStructure(database: Queryable, spaceId: string): Promise<Structure | undefined> {
  const found = await findSettings(database, spaceId)
  if (found === undefined) return undefined
  const { icon, banner, ...settings } = found
  const rooms = await listRooms(database, [spaceId])
  const roles = await listRoles(database, [spaceId])
  const overwrites = await listOverwrites(database, [spaceId])
  const rules = await listRules(database, spaceId)
  const images = await listSpaceImages(database, [spaceId])
  const ofRoles = overwrites.filter(({ target_type }) => target_type === OverwriteTarget.Role)
  const byRoom = Map.groupBy(ofRoles, ({ room_id }) => room_id)
  const ofKind = (kind: string) => images.filter((image) => image.kind === kind)
  const space = {
    ...settings,
    roles: roles.map(archivedRole),
    rooms: rooms.map((room) => archivedRoom(room, byRoom.get(room.id) ?? [])),
    automod_rules: rules.map(archivedRule),
    emojis: ofKind('emoji').map(archivedImage),
    stickers: ofKind('sticker').map(archivedImage),
  }
  const pictures = [
    ...pictureOf('pictures/icon', icon),
    ...pictureOf('pictures/banner', banner),
    ...images.map(({ kind, id, attachment_id }) => ({ entry: `${kind}s/${id}`, fileId: attachment_id })),
  ]
  return { space, pictures, memberOverwrites: overwrites.length - ofRoles.length }
}

function pictureOf(entry: string, fileId: string | null): Picture[] {
  return fileId === null ? [] : [{ entry, fileId }]
}

function archivedRole(role: Role): ArchivedRole {
  const { id, name, permissions, capabilities, color_from, color_via, color_to, hoisted } = role
  return { id, name, permissions, capabilities, color_from, color_via, color_to, hoisted }
}

function archivedRoom(room: Room, overwrites: readonly RoomOverwrite[]): ArchivedRoom {
  const { id, name, type, parent_id, description, slow_mode_seconds, retention_days, replies } = room
  const { announces, forum } = room
  return {
    ...{ id, name, type, parent_id, description, slow_mode_seconds, retention_days },
    ...(replies === 'threads' && { replies }),
    ...(announces && { announces }),
    ...(forum !== undefined && { forum }),
    overwrites: overwrites.map(archivedOverwrite),
  }
}

function archivedOverwrite(overwrite: RoomOverwrite): ArchivedOverwrite {
  const { target_id: role_id, allow_flags, deny_flags, allow_capabilities, deny_capabilities } = overwrite
  return { role_id, allow_flags, deny_flags, allow_capabilities, deny_capabilities }
}

function archivedRule(rule: AutomodRule): ArchivedRule {
  const { name, mode, trigger, action, message, alert_room_id, timeout_minutes } = rule
  const { exempt_role_ids, exempt_room_ids } = rule
  return {
    ...{ name, mode, trigger, action, message, alert_room_id, timeout_minutes },
    ...{ exempt_role_ids, exempt_room_ids },
  }
}

function archivedImage({ id, name }: SpaceImage) {
  return { id, name }
}
