import { OverwriteTarget } from '@foyer/protocol/permissions'
import type { RoomOverwrite } from '@foyer/protocol/roles'
import { RoomType } from '@foyer/protocol/rooms'
import { insertBucket } from '#src/files/buckets/queries.ts'
import type { Transaction } from '#src/kernel/database/database.ts'
import { newId } from '#src/kernel/ids.ts'
import { saveRule } from '#src/moderation/screening/queries.ts'
import { saveRoles } from '#src/roles/queries.ts'
import { insertRooms, saveOverwrites } from '#src/spaces/queries.ts'
import type { ArchivedRoom } from '../format.ts'
import { newIdOf, newIdOrNull, type Plan } from './plan.ts'
import { insertUnfinished, saveRoomSettings } from './queries.ts'

/** Limits for a space in the server's own storage. */
export interface IncludedStorage {
  includedStorageBytes: number
  uploadLimitBytes: number
}

/** Inserts the unfinished space with everything but its pictures, threads and messages. */
export async function buildStructure(
  transaction: Transaction,
  plan: Plan,
  storage: IncludedStorage,
): Promise<void> {
  const { spaceId, ownerId, space } = plan
  await insertUnfinished(transaction, { id: spaceId, ownerId, space })
  await buildRoles(transaction, plan)
  await buildRooms(transaction, plan)
  await buildRules(transaction, plan)
  if (storage.includedStorageBytes > 0) await addStorage(transaction, spaceId, storage)
}

async function buildRoles(transaction: Transaction, { spaceId, space, roles }: Plan): Promise<void> {
  const rows = space.roles.map((role, position) => {
    const name = position === 0 ? '@everyone' : role.name
    return { ...role, id: newIdOf(roles, role.id), space_id: spaceId, name, position }
  })
  await saveRoles(transaction, rows, null)
}

async function buildRooms(transaction: Transaction, plan: Plan): Promise<void> {
  const { spaceId, space, rooms } = plan
  const inserted = space.rooms.map((room, position) => ({
    id: newIdOf(rooms, room.id),
    name: room.name,
    type: room.type,
    parentId: newIdOrNull(rooms, room.parent_id),
    position,
    announces: room.type === RoomType.Text && room.announces,
    forum: room.forum && {
      ...room.forum,
      tags: room.forum.tags.map((tag) => ({ ...tag, id: newIdOf(plan.tags, tag.id) })),
    },
  }))
  await insertRooms(transaction, spaceId, inserted)
  const settings = space.rooms.map(({ id, description, slow_mode_seconds, retention_days, replies }) => ({
    id: newIdOf(rooms, id),
    description: description || null,
    slow_mode_seconds,
    retention_days,
    replies: replies ?? null,
  }))
  await saveRoomSettings(transaction, spaceId, settings)
  await saveOverwrites(
    transaction,
    spaceId,
    space.rooms.flatMap((room) => overwritesOf(room, plan)),
  )
}

function overwritesOf(room: ArchivedRoom, { rooms, roles }: Plan): RoomOverwrite[] {
  const room_id = newIdOf(rooms, room.id)
  return room.overwrites.map(({ role_id, ...flags }) => ({
    ...flags,
    room_id,
    target_id: newIdOf(roles, role_id),
    target_type: OverwriteTarget.Role,
  }))
}

async function buildRules(transaction: Transaction, { spaceId, space, roles, rooms }: Plan): Promise<void> {
  for (const rule of space.automod_rules) {
    await saveRule(transaction, {
      ...rule,
      id: newId(),
      space_id: spaceId,
      alert_room_id: newIdOrNull(rooms, rule.alert_room_id),
      exempt_role_ids: rule.exempt_role_ids.map((id) => newIdOf(roles, id)),
      exempt_room_ids: rule.exempt_room_ids.map((id) => newIdOf(rooms, id)),
    })
  }
}

/** Adds the included storage: a space without a bucket cannot have emojis or stickers. */
async function addStorage(
  transaction: Transaction,
  spaceId: string,
  { includedStorageBytes, uploadLimitBytes }: IncludedStorage,
): Promise<void> {
  const place = { tenant_id: spaceId, id: newId(), name: 'Included storage' }
  const nowhere = { endpoint: '', region: null, bucket_name: '', access_key_id: '', secret: null }
  const limits = { max_bytes: includedStorageBytes, upload_limit_bytes: uploadLimitBytes }
  const settings = { ...place, ...nowhere, ...limits, use_path_style: false, direct_upload: true }
  await insertBucket(transaction, settings, { kind: 'included', active: true })
}
