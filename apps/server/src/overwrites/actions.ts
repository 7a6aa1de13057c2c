import { MAX_OVERWRITES } from '@foyer/protocol/limits'
import { Permission } from '@foyer/protocol/permissions'
import { isSameOverwrite } from '@foyer/protocol/rights'
import type { RoomOverwrite, UpsertOverwriteBody } from '@foyer/protocol/roles'
import type { Database } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { accessRoomIn, type HeldSpace, holdSpaceOfRoom, type SpaceAccess } from '#src/spaces/access.ts'
import { accessChange } from '#src/spaces/access-change.ts'
import { record } from '#src/spaces/actions/audit.ts'
import { checkHolds, checkOverwriteFlags, newlySet } from '#src/spaces/flags.ts'
import { checkOverwrites, checkTargets, overwriteOf } from '#src/spaces/overwrites.ts'
import { checkOwnerLimits } from '#src/spaces/owner-limits.ts'
import { saveOverwrites } from '#src/spaces/queries.ts'
import { countOverwrites, deleteOverwriteRow } from './queries.ts'

interface Deps {
  database: Database
}

const { ManageChannels } = Permission

/**
 * Sets the overwrite of a role or a member in the room, replacing the previous one.
 * @throws ApiError 400 for unknown flags, a changed target type, or at the room's, the space's or the owner's limit;
 *   404 for a target of another space; 403 for newly setting a permission that the caller does not have in the room
 */
export async function upsertOverwrite(
  { database }: Deps,
  access: SpaceAccess,
  roomId: string,
  body: UpsertOverwriteBody,
): Promise<RoomOverwrite> {
  checkOverwriteFlags(body)
  return database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdSpaceOfRoom(transaction, access, roomId, [body.target_id])
    const room = accessRoomIn(held, roomId, ManageChannels)
    const { snapshot, spaceId } = room
    const overwrites = snapshot.overwrites.get(roomId) ?? []
    const before = overwrites.find(({ target_id }) => target_id === body.target_id)
    checkType(before, body)
    await checkTargets(transaction, held, [body])
    checkHolds(room, newlySet(before, body))
    if (before === undefined) await checkRoom(transaction, spaceId, overwrites.length)
    const overwrite = overwriteOf(roomId, body)
    if (before !== undefined && isSameOverwrite(before, overwrite)) return before
    await saveOverwrites(transaction, spaceId, [overwrite])
    const added = before === undefined ? 1 : 0
    await checkOwnerLimits(transaction, snapshot.space.owner_id, { rooms: 0, overwrites: added })
    const payload = { space_id: spaceId, ...overwrite }
    transaction.publish(accessChange(spaceId))
    transaction.publish(event(topicOf.room(spaceId, roomId), 'ROOM_OVERWRITE_UPDATE', payload))
    await record(transaction, held, 'overwrite_update', {
      ...targetIn(held, overwrite),
      before,
      after: overwrite,
    })
    return overwrite
  })
}

/** @throws ApiError 404 for a target without an overwrite in the room */
export async function deleteOverwrite(
  { database }: Deps,
  access: SpaceAccess,
  roomId: string,
  targetId: string,
): Promise<void> {
  await database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdSpaceOfRoom(transaction, access, roomId)
    const { snapshot, spaceId } = accessRoomIn(held, roomId, ManageChannels)
    const overwrites = snapshot.overwrites.get(roomId) ?? []
    const before = overwrites.find(({ target_id }) => target_id === targetId)
    if (before === undefined) throw new ApiError('unknown_overwrite')
    await deleteOverwriteRow(transaction, spaceId, { room_id: roomId, target_id: targetId })
    const gone = { space_id: spaceId, room_id: roomId, target_id: targetId }
    transaction.publish(accessChange(spaceId))
    transaction.publish(event(topicOf.room(spaceId, roomId), 'ROOM_OVERWRITE_DELETE', gone))
    await record(transaction, held, 'overwrite_delete', { ...targetIn(held, before), before })
  })
}

/** Returns the role or user whose overwrite changed, for the audit log. */
function targetIn({ snapshot }: HeldSpace, { room_id: roomId, target_id: id, target_type }: RoomOverwrite) {
  if (target_type === 1) return { type: 'user', id, roomId } as const
  return { type: 'role', id, name: snapshot.roles.get(id)?.name ?? null, roomId } as const
}

async function checkRoom(transaction: Queryable, spaceId: string, inRoom: number): Promise<void> {
  if (inRoom >= MAX_OVERWRITES) throw new ApiError('too_many_overwrites')
  checkOverwrites((await countOverwrites(transaction, spaceId)) + 1)
}

function checkType(before: RoomOverwrite | undefined, { target_type }: UpsertOverwriteBody): void {
  if (before !== undefined && before.target_type !== target_type) throw new ApiError('target_type_fixed')
}
