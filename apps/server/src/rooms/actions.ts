import { MAX_ROOMS } from '@foyer/protocol/limits'
import { Permission } from '@foyer/protocol/permissions'
import type { RoomOverwrite, UpsertOverwriteBody } from '@foyer/protocol/roles'
import { type CreateRoomBody, type Room, RoomType, type UpdateRoomBody } from '@foyer/protocol/rooms'
import type { Transaction } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { newId } from '#src/kernel/ids.ts'
import { enqueueJob } from '#src/kernel/jobs.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { type ChargeDeps, chargeBudget } from '#src/kernel/limits/rate-limits.ts'
import { budgetOf } from '#src/kernel/secrets/credentials.ts'
import type { ScreeningDeps } from '#src/moderation/screening/actions/consequences.ts'
import { deleteHeldIn } from '#src/moderation/screening/held-queries.ts'
import { changed, screenNames } from '#src/moderation/screening/names.ts'
import { accessRoomIn, type HeldSpace, holdSpace, type SpaceAccess } from '#src/spaces/access.ts'
import { accessChange } from '#src/spaces/access-change.ts'
import { record } from '#src/spaces/actions/audit.ts'
import { checkHolds, checkOverwriteFlags, newlySet } from '#src/spaces/flags.ts'
import { checkSpaceHasRoom, checkTargets, overwriteOf } from '#src/spaces/overwrites.ts'
import { checkOwnerLimits } from '#src/spaces/owner-limits.ts'
import { findRooms, insertRooms, saveOverwrites, saveSpace } from '#src/spaces/queries.ts'
import type { SpaceSnapshot } from '#src/spaces/snapshots.ts'
import { changedForum, newForum, textsOfForum } from './forums.ts'
import { changedRooms, withoutRoom, withRoom } from './order.ts'
import { deleteInvitesTo, deleteRoomRow, endFollows, listFollowers, saveRooms } from './queries.ts'

type Deps = ChargeDeps & ScreeningDeps

const { ManageChannels, ViewChannels } = Permission

/**
 * Creates a room after all others. Members who cannot view it because of its overwrites get no event.
 * @throws ApiError 400 for a parent that is not a category of the space, for announcements in a room that is not a text
 * room, or at the space's or the owner's limit of rooms or overwrites; 403 for a name that a rule of the space refuses; for
 * each overwrite, the errors of `upsertOverwrite`
 */
export async function createRoom(
  deps: Deps,
  access: SpaceAccess,
  { name, type, parent_id, announces, overwrites = [] }: CreateRoomBody,
): Promise<Room> {
  const { spaceId } = access
  const id = newId()
  checkMayAnnounce({ type }, announces)
  for (const overwrite of overwrites) checkOverwriteFlags(overwrite)
  await screenNames(deps, access, { source: 'room_name' }, [name])
  return deps.database.transactionIn(access.spaceId, async (transaction) => {
    // Setting overwrites needs permission to view the room, as in an existing room.
    const needed = overwrites.length === 0 ? ManageChannels : ManageChannels | ViewChannels
    const held = await holdSpace(transaction, access, needed)
    const { snapshot } = held
    const position = snapshot.rooms.size
    const forum = type === RoomType.Forum ? newForum : undefined
    if (position >= MAX_ROOMS) throw new ApiError('too_many_rooms')
    const parentId = type === RoomType.Category ? null : checkParent(snapshot, parent_id ?? null)
    await checkNewOverwrites(transaction, held, overwrites)
    const set = overwritesOf(id, overwrites)
    checkSpaceHasRoom(held, set.length)
    chargeChanges(deps, access, 1 + set.length)
    await insertRooms(transaction, spaceId, [{ id, name, type, parentId, position, announces, forum }])
    if (set.length > 0) await saveOverwrites(transaction, spaceId, set)
    await checkOwnerLimits(transaction, snapshot.space.owner_id, { rooms: 1, overwrites: set.length })
    transaction.publish(accessChange(spaceId))
    const created = await publishRooms(transaction, 'ROOM_CREATE', { spaceId, ids: [id] })
    for (const overwrite of set)
      transaction.publish(
        event(topicOf.room(spaceId, id), 'ROOM_OVERWRITE_UPDATE', { space_id: spaceId, ...overwrite }),
      )
    const room = roomIn(created, id)
    await record(transaction, held, 'room_create', { type: 'room', id, name, after: room })
    return room
  })
}

/**
 * Changes the given fields; null clears a field. If the room moves, the others move accordingly.
 * @throws ApiError 400 for a parent that is not a category of the space, for forum settings in a room that is not a forum,
 * and for invalid tags; 403 for a text that a rule of the space refuses
 */
export async function updateRoom(
  deps: Deps,
  access: SpaceAccess,
  roomId: string,
  body: UpdateRoomBody,
): Promise<Room> {
  const before = access.snapshot.rooms.get(roomId)
  await screenNames(deps, access, { source: 'room_name', roomId }, [
    changed(before?.name, body.name),
    changed(before?.description, body.description),
    ...textsOfForum(before?.forum, body.forum),
  ])
  return deps.database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdSpace(transaction, access)
    const { room, snapshot, spaceId } = accessRoomIn(held, roomId, ManageChannels)
    const after = withRoom([...snapshot.rooms.values()], withChanges(held, room, body))
    const changed = changedRooms(snapshot.rooms, after)
    if (changed.length === 0) return room
    chargeChanges(deps, access, changed.length)
    await saveRooms(transaction, spaceId, changed, roomId)
    if (room.announces && body.announces === false) await endFollows(transaction, spaceId, roomId)
    const updated = await publishRooms(transaction, 'ROOM_UPDATE', { spaceId, ids: idsOf(changed) })
    const now = roomIn(updated, roomId)
    const target = { type: 'room', id: roomId, name: now.name } as const
    const change = { before: withDefaults(room), after: withDefaults(now) }
    await record(transaction, held, 'room_update', { ...target, ...change })
    return now
  })
}

/** Deletes the room and its content. The rooms of a category stay. */
export async function deleteRoom(deps: Deps, access: SpaceAccess, roomId: string): Promise<void> {
  await deps.database.transactionIn(access.spaceId, async (transaction) => {
    const held = await holdSpace(transaction, access)
    const { room: before, snapshot, spaceId } = accessRoomIn(held, roomId, ManageChannels)
    const room = { space_id: spaceId, room_id: roomId }
    const changed = changedRooms(snapshot.rooms, withoutRoom([...snapshot.rooms.values()], roomId))
    chargeChanges(deps, access, changed.length)
    const invites = await deleteInvitesTo(transaction, spaceId, roomId)
    for (const webhook_id of await listFollowers(transaction, spaceId, roomId))
      await enqueueJob(transaction, 'sweep_copies', { space_id: spaceId, webhook_id })
    await deleteRoomRow(transaction, spaceId, roomId)
    await deleteHeldIn(transaction, spaceId, roomId)
    await saveRooms(transaction, spaceId, changed, null)
    await clearSystemRoom(transaction, snapshot, roomId)
    await enqueueJob(transaction, 'sweep_room', room)
    transaction.publish(event(topicOf.room(spaceId, roomId), 'ROOM_DELETE', room))
    transaction.publish(accessChange(spaceId))
    await publishRooms(transaction, 'ROOM_UPDATE', { spaceId, ids: idsOf(changed) })
    for (const { id, code } of invites) {
      const revoked = { space_id: spaceId, invite_id: id, code }
      transaction.publish(event(topicOf.space(spaceId), 'SPACE_INVITE_DELETE', revoked))
    }
    await record(transaction, held, 'room_delete', { type: 'room', id: roomId, name: before.name, before })
  })
}

/** Unsets the space's system room if it is deleted. */
async function clearSystemRoom(
  transaction: Transaction,
  { space }: SpaceSnapshot,
  roomId: string,
): Promise<void> {
  if (space.system_room_id !== roomId) return
  const saved = await saveSpace(transaction, { ...space, system_room_id: null })
  if (saved !== undefined) transaction.publish(event(topicOf.space(space.id), 'SPACE_UPDATE', saved))
}

/** Charges the rate limit: each moved room costs a row, an event and a journal row. */
function chargeChanges(deps: ChargeDeps, { caller }: SpaceAccess, cost: number): void {
  chargeBudget(deps, 'structureChanges', { budget: budgetOf(caller), cost })
}

/**
 * Checks overwrites of a room that does not exist yet. All flags count as new, and the caller's permissions are those in the
 * space.
 */
async function checkNewOverwrites(
  transaction: Transaction,
  held: HeldSpace,
  overwrites: readonly UpsertOverwriteBody[],
): Promise<void> {
  await checkTargets(transaction, held, overwrites)
  for (const overwrite of overwrites) checkHolds(held, newlySet(undefined, overwrite))
}

/** A target has one overwrite, so the last one in the list is used. */
function overwritesOf(roomId: string, overwrites: readonly UpsertOverwriteBody[]): RoomOverwrite[] {
  const byTarget = new Map(overwrites.map((body) => [body.target_id, overwriteOf(roomId, body)]))
  return [...byTarget.values()]
}

/** Returns the room with the given fields; null clears a field. Only name and position of a category can change. */
function withChanges({ snapshot, caller }: HeldSpace, room: Room, body: UpdateRoomBody): Room {
  checkMayAnnounce(room, body.announces)
  if (body.forum !== undefined && room.forum === undefined) throw new ApiError('not_a_forum')
  const name = body.name === undefined ? room.name : (body.name ?? '')
  const named = { ...room, name, position: body.position ?? room.position }
  if (room.type === RoomType.Category) return named
  const replies = body.replies ?? room.replies
  return {
    ...named,
    slow_mode_seconds: body.slow_mode_seconds ?? room.slow_mode_seconds,
    retention_days: body.retention_days === undefined ? room.retention_days : body.retention_days,
    description: body.description === undefined ? room.description : body.description || null,
    parent_id: body.parent_id === undefined ? room.parent_id : checkParent(snapshot, body.parent_id),
    ...(replies !== undefined && { replies }),
    announces: body.announces ?? room.announces ?? false,
    ...(room.forum !== undefined && { forum: changedForum(room.forum, body.forum, caller) }),
  }
}

function checkParent({ rooms }: SpaceSnapshot, parentId: string | null): string | null {
  if (parentId !== null && rooms.get(parentId)?.type !== RoomType.Category)
    throw new ApiError('not_a_category')
  return parentId
}

/** @throws ApiError 400 for anything but a text room */
function checkMayAnnounce({ type }: Pick<Room, 'type'>, announces = false): void {
  if (announces && type !== RoomType.Text) throw new ApiError('cannot_announce')
}

/** Returns the room with defaults for missing fields. */
function withDefaults(room: Room): Room {
  return { replies: 'room', announces: false, ...room }
}

/** Publishes the current state of the rooms, each room to its viewers. */
async function publishRooms(
  transaction: Transaction,
  name: 'ROOM_CREATE' | 'ROOM_UPDATE',
  { spaceId, ids }: { spaceId: string; ids: readonly string[] },
): Promise<Room[]> {
  const rooms = await findRooms(transaction, spaceId, ids)
  for (const room of rooms) transaction.publish(event(topicOf.room(spaceId, room.id), name, room))
  return rooms
}

function idsOf(rooms: readonly Room[]): string[] {
  return rooms.map(({ id }) => id)
}

function roomIn(rooms: readonly Room[], roomId: string): Room {
  const room = rooms.find(({ id }) => id === roomId)
  if (room === undefined) throw new Error('a room that was just saved cannot be read')
  return room
}
