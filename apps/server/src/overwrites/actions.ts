import { MAX_OVERWRITES, MAX_SPACE_OVERWRITES } from '@foyer/protocol/limits'
import { OverwriteTarget, Permission } from '@foyer/protocol/permissions'
import type { RoomOverwrite, UpsertOverwriteBody } from '@foyer/protocol/roles'
import { topicOf } from '#src/kernel/bus.ts'
import type { Database } from '#src/kernel/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { event } from '#src/kernel/events.ts'
import type { Queryable } from '#src/kernel/sql.ts'
import { accessRoomIn, type HeldSpace, holdSpace, type SpaceAccess } from '#src/spaces/access.ts'
import { accessChange } from '#src/spaces/access-change.ts'
import { checkFlags, checkHolds } from '#src/spaces/flags.ts'
import { findMembers } from '#src/spaces/queries.ts'
import { deleteOverwriteRow, saveOverwrite } from './queries.ts'

interface Deps {
  database: Database
}

const { ManageChannels } = Permission

/**
 * Sets what one role or member may or may not do in the room, in place of what was set for them.
 * @throws ApiError 400 for unknown flags, another type of target than before, or when the room or the space has as many overwrites
 *   as it may; 404 for a target of elsewhere; 403 for a newly allowed or denied permission that the caller does not have there
 */
export async function upsertOverwrite(
  { database }: Deps,
  access: SpaceAccess,
  roomId: string,
  body: UpsertOverwriteBody,
): Promise<RoomOverwrite> {
  checkFlags(body.allow_flags, body.deny_flags)
  return database.transaction(async (transaction) => {
    const held = await holdSpace(transaction, access)
    const { permissions, snapshot, spaceId } = accessRoomIn(held, roomId, ManageChannels)
    const overwrites = snapshot.overwrites.get(roomId) ?? []
    const before = overwrites.find(({ target_id }) => target_id === body.target_id)
    checkType(before, body)
    await checkTarget(transaction, held, body)
    checkHolds(permissions, newlySet(before, body))
    if (before === undefined) checkRoom(held, roomId)
    if (before !== undefined && isSame(before, body)) return before
    const overwrite = overwriteOf(roomId, body)
    await saveOverwrite(transaction, spaceId, overwrite)
    const told = { space_id: spaceId, ...overwrite }
    transaction.publish(accessChange(spaceId))
    transaction.publish(event(topicOf.room(spaceId, roomId), 'ROOM_OVERWRITE_UPDATE', told))
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
  await database.transaction(async (transaction) => {
    const held = await holdSpace(transaction, access)
    const { snapshot, spaceId } = accessRoomIn(held, roomId, ManageChannels)
    const overwrites = snapshot.overwrites.get(roomId) ?? []
    if (!overwrites.some(({ target_id }) => target_id === targetId)) throw new ApiError('unknown_overwrite')
    await deleteOverwriteRow(transaction, spaceId, { room_id: roomId, target_id: targetId })
    const gone = { space_id: spaceId, room_id: roomId, target_id: targetId }
    transaction.publish(accessChange(spaceId))
    transaction.publish(event(topicOf.room(spaceId, roomId), 'ROOM_OVERWRITE_DELETE', gone))
  })
}

/** Every change of the space reads all of its overwrites, and every client holds those of the rooms it may view. */
function checkRoom({ snapshot }: HeldSpace, roomId: string): void {
  const inRoom = snapshot.overwrites.get(roomId)?.length ?? 0
  if (inRoom >= MAX_OVERWRITES) throw new ApiError('too_many_overwrites')
  const inSpace = [...snapshot.overwrites.values()].reduce((sum, { length }) => sum + length, 0)
  if (inSpace >= MAX_SPACE_OVERWRITES) throw new ApiError('too_many_space_overwrites')
}

/** Field by field: whatever else the body has stays out. */
function overwriteOf(room_id: string, body: UpsertOverwriteBody): RoomOverwrite {
  const { target_id, target_type, allow_flags, deny_flags } = body
  return { room_id, target_id, target_type, allow_flags, deny_flags }
}

function checkType(before: RoomOverwrite | undefined, { target_type }: UpsertOverwriteBody): void {
  if (before !== undefined && before.target_type !== target_type) throw new ApiError('target_type_fixed')
}

async function checkTarget(
  transaction: Queryable,
  { snapshot, spaceId }: HeldSpace,
  { target_id, target_type }: UpsertOverwriteBody,
): Promise<void> {
  if (target_type === OverwriteTarget.Role) {
    if (!snapshot.roles.has(target_id)) throw new ApiError('unknown_role')
    return
  }
  const members = await findMembers(transaction, spaceId, [target_id])
  if (members.length === 0) throw new ApiError('unknown_member')
}

/** What is allowed or denied that was not so before. */
function newlySet(
  before: RoomOverwrite | undefined,
  { allow_flags, deny_flags }: UpsertOverwriteBody,
): number {
  return (allow_flags & ~(before?.allow_flags ?? 0)) | (deny_flags & ~(before?.deny_flags ?? 0))
}

function isSame(before: RoomOverwrite, { allow_flags, deny_flags }: UpsertOverwriteBody): boolean {
  return before.allow_flags === allow_flags && before.deny_flags === deny_flags
}
