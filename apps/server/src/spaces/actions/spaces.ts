import { DEFAULT_CAPABILITIES } from '@foyer/protocol/capabilities'
import { MAX_SPACES } from '@foyer/protocol/limits'
import { DEFAULT_PERMISSIONS } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import type { CreateSpaceBody, CreateSpaceResult, FirstRoomNames, SpaceState } from '@foyer/protocol/spaces'
import type { User } from '@foyer/protocol/users'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { newId } from '#src/kernel/ids.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import { accessChange } from '../access-change.ts'
import { enqueueJoinMessage } from '../joining.ts'
import { countSpacesOf, deleteMembers, deleteOverwritesOf, insertMember } from '../membership.ts'
import { checkOwnerLimits } from '../owner-limits.ts'
import { insertRooms, insertSpace, type NewRoom } from '../queries.ts'
import { listSpaceStates } from '../state.ts'
import { record, targetOf } from './audit.ts'

/** Creates a space with @everyone and its first rooms. The caller becomes owner and first member. */
export async function createSpace(
  { database }: { database: Database },
  caller: Caller,
  body: CreateSpaceBody,
): Promise<CreateSpaceResult> {
  const spaceId = newId()
  const rooms = firstRooms(body.room_names)
  const textRoom = rooms.find(({ type }) => type === RoomType.Text)
  const state = await database.transaction(async (transaction) => {
    const isNew = await insertSpace(transaction, {
      id: spaceId,
      name: body.name,
      description: body.description || null,
      ownerId: caller.user.id,
      everyone: { permissions: DEFAULT_PERMISSIONS, capabilities: DEFAULT_CAPABILITIES },
      systemRoomId: (body.announce_joins && textRoom?.id) || null,
      hasRaidSensor: body.raid_sensor ?? false,
    })
    if (!isNew) throw new ApiError('authentication_required')
    await checkSpaceCount(transaction, caller.user)
    await insertRooms(transaction, spaceId, rooms)
    await checkOwnerLimits(transaction, caller.user.id, { rooms: rooms.length, overwrites: 0 })
    const state = await readState(transaction, caller.user.id, spaceId)
    transaction.publish(event(topicOf.user(caller.user.id), 'SPACE_CREATE', state))
    await record(transaction, { spaceId, caller }, 'space_create', { ...targetOf(state), after: state })
    return state
  })
  return resultOf(state)
}

/**
 * Adds a member to a space locked by `lockSpace`. The space's event comes before the user's SPACE_CREATE, whose
 * `member_count` includes the new member.
 * @returns false for an existing member
 * @throws ApiError 400 for a person at the limit of spaces
 */
export async function addMember(
  transaction: Transaction,
  spaceId: string,
  user: User,
  isTemporary = false,
): Promise<boolean> {
  const isNew = await insertMember(transaction, spaceId, user.id, isTemporary)
  if (!isNew) return false
  await checkSpaceCount(transaction, user)
  const state = await readState(transaction, user.id, spaceId)
  const member = { ...state.member, user, position: 0, member_count: state.member_count }
  transaction.publish(event(topicOf.space(spaceId), 'SPACE_MEMBER_CREATE', member))
  transaction.publish(event(topicOf.user(user.id), 'SPACE_CREATE', state))
  await enqueueJoinMessage(transaction, state, user.id)
  return true
}

/**
 * Ends a membership of a space locked by `lockSpace`, and deletes the member's overwrites.
 * @returns false for outsiders
 */
export async function removeMember(
  transaction: Transaction,
  spaceId: string,
  userId: string,
): Promise<boolean> {
  const removed = await removeMembers(transaction, spaceId, [userId])
  return removed.length > 0
}

/** Like `removeMember`, but for several users. Returns the ids of the removed members. */
export async function removeMembers(
  transaction: Transaction,
  spaceId: string,
  userIds: readonly string[],
): Promise<readonly string[]> {
  const left = await deleteMembers(transaction, spaceId, userIds)
  if (left === undefined) return []
  left.user_ids.forEach((user_id, index) => {
    const member_count = left.member_count + left.user_ids.length - index - 1
    const removed = { space_id: spaceId, user_id, member_count }
    transaction.publish(event(topicOf.space(spaceId), 'SPACE_MEMBER_DELETE', removed))
    transaction.publish(event(topicOf.user(user_id), 'SPACE_DELETE', { space_id: spaceId }))
  })
  await removeOverwritesOf(transaction, spaceId, left.user_ids)
  return left.user_ids
}

/**
 * Deletes the members' own overwrites. No remaining member's access changes, but without the events the gateway would apply
 * the old overwrites when a member returns.
 */
async function removeOverwritesOf(
  transaction: Transaction,
  spaceId: string,
  userIds: readonly string[],
): Promise<void> {
  const gone = await deleteOverwritesOf(transaction, spaceId, userIds)
  if (gone.length > 0) transaction.publish(accessChange(spaceId))
  for (const { room_id, target_id } of gone) {
    const overwrite = { space_id: spaceId, room_id, target_id }
    transaction.publish(event(topicOf.room(spaceId, room_id), 'ROOM_OVERWRITE_DELETE', overwrite))
  }
}

/** The limit exists because READY contains all of a person's spaces. */
async function checkSpaceCount(transaction: Transaction, user: User): Promise<void> {
  if (user.is_bot) return
  const count = await countSpacesOf(transaction, user.id)
  if (count > MAX_SPACES) throw new ApiError('too_many_spaces')
}

async function readState(transaction: Transaction, userId: string, spaceId: string): Promise<SpaceState> {
  const [state] = await listSpaceStates(transaction, userId, [spaceId], { forums: false })
  if (state === undefined) throw new Error('a space that was just entered cannot be read')
  return state
}

function firstRooms(names: FirstRoomNames = {}): NewRoom[] {
  const [texts, voices] = [newId(), newId()]
  const { text_category = 'Text rooms', text_room = 'general' } = names
  const { voice_category = 'Voice rooms', voice_room = 'lounge' } = names
  return [
    { id: texts, name: text_category, type: RoomType.Category, parentId: null, position: 0 },
    { id: newId(), name: text_room, type: RoomType.Text, parentId: texts, position: 1 },
    { id: voices, name: voice_category, type: RoomType.Category, parentId: null, position: 2 },
    { id: newId(), name: voice_room, type: RoomType.Voice, parentId: voices, position: 3 },
  ]
}

function resultOf(state: SpaceState): CreateSpaceResult {
  const { rooms, roles, member } = state
  return { space: state, rooms, roles, member }
}
