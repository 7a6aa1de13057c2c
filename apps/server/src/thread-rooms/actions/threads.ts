import type { Thread, UpdateThreadBody } from '@foyer/protocol/thread-rooms'
import { isFitTitle } from '@foyer/protocol/thread-rooms'
import type { Place } from '#src/channels/place.ts'
import { moveUploads } from '#src/forums/post-queries.ts'
import { beginPost, updatePost } from '#src/forums/posts.ts'
import { checkTags } from '#src/forums/tags.ts'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { newId } from '#src/kernel/ids.ts'
import { enqueueJob } from '#src/kernel/jobs.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import { lockMessage } from '#src/messages/change-queries.ts'
import type { ScreeningDeps } from '#src/moderation/screening/actions/consequences.ts'
import { screenNames } from '#src/moderation/screening/names.ts'
import { holdRoom, type RoomAccess } from '#src/spaces/access.ts'
import { record } from '#src/spaces/actions/audit.ts'
import {
  checkMayCreate,
  checkMayUpdate,
  type HeldThread,
  holdThread,
  managesThreads,
  type ThreadAccess,
} from '../access.ts'
import {
  deleteThreadRow,
  findThread,
  findThreadOf,
  insertThread,
  saveThread,
  type ThreadChange,
  type ThreadRow,
} from '../queries.ts'
import { addFollowers } from './follows.ts'

type Deps = ScreeningDeps & { database: Database }

export interface ThreadStart {
  title: string
  starterMessageId: string | null
  quietMinutes: number | undefined
  /** Only in a forum. */
  tags?: readonly string[] | undefined
  /** Files that the creator uploaded to the room, for the first message. */
  fileIds?: readonly string[]
}

/**
 * Begins a thread, which its creator follows.
 * @throws ApiError 400 for an unfit title, 403 without the rights, and for a title that a rule of the space refuses, 404 for
 *   a message that is not in the room, 409 for one that has a thread
 */
export async function createThread(deps: Deps, access: RoomAccess, start: ThreadStart): Promise<Place> {
  checkMayCreate(access)
  checkStartTags(access, start.tags)
  checkTitle(start.title)
  await screenTitle(deps, access, start.title)
  return deps.database.transaction(async (transaction) => {
    const room = await holdRoom(transaction, access)
    checkMayCreate(room)
    checkStartTags(room, start.tags)
    const place = { tenantId: room.spaceId, channelId: newId(), parentId: room.room.id }
    await begin(transaction, room, place, start)
    const { fileIds: ids = [] } = start
    const uploads = { ids, ownerId: room.caller.user.id }
    if (ids.length > 0) await moveUploads(transaction, movingTo(place), uploads)
    await publishThread(transaction, 'THREAD_CREATE', place)
    const { id: readerId, is_bot } = room.caller.user
    if (!is_bot) await addFollowers(transaction, place, [readerId], { messageId: null, readerId })
    return place
  })
}

async function begin(
  transaction: Transaction,
  { spaceId, room, caller }: RoomAccess,
  place: Place,
  { title, starterMessageId, quietMinutes, tags = [] }: ThreadStart,
): Promise<void> {
  if (starterMessageId !== null) {
    const message = await lockMessage(
      transaction,
      { tenantId: spaceId, channelId: room.id },
      starterMessageId,
    )
    if (message === undefined) throw new ApiError('unknown_message')
  }
  const thread = {
    spaceId,
    id: place.channelId,
    roomId: room.id,
    title,
    creatorId: caller.user.id,
    starterMessageId,
    quietMinutes,
  }
  if (await insertThread(transaction, thread)) {
    if (room.forum !== undefined) await beginPost(transaction, place, { title, tags })
    return
  }
  const existing = await findThreadOf(transaction, spaceId, starterMessageId ?? '')
  throw new ApiError('thread_exists', undefined, existing === undefined ? {} : { 'x-thread-id': existing })
}

function checkStartTags(access: RoomAccess, tags: readonly string[] | undefined): void {
  if (tags !== undefined || access.room.forum !== undefined) checkTags(access, tags ?? [])
}

function movingTo({ tenantId, channelId, parentId = channelId }: Place) {
  return { tenantId, from: parentId, to: channelId }
}

/**
 * Changes the given fields.
 * @throws ApiError 403 for all but the creator and those with ManageThreads, who alone reopen what they closed
 */
export async function updateThread(deps: Deps, access: ThreadAccess, body: UpdateThreadBody): Promise<void> {
  if (body.title !== undefined) await checkNewTitle(deps, access, body.title)
  await deps.database.transaction(async (transaction) => {
    const held = await holdThread(transaction, access)
    checkMayUpdate(held)
    const { room, thread } = held
    const change = changeOf(held, body)
    await saveThread(transaction, thread, change)
    await updatePost(transaction, held, access.place, body)
    const after = await publishThread(transaction, 'THREAD_UPDATE', access.place)
    if (thread.creator_id !== room.caller.user.id)
      await record(transaction, room, 'thread_update', { ...targetOf(after), before: thread, after })
  })
}

/** A caller who may not change the thread learns nothing of the rules for titles. */
async function checkNewTitle(deps: Deps, access: ThreadAccess, title: string): Promise<void> {
  checkTitle(title)
  await deps.database.transaction(async (transaction) =>
    checkMayUpdate(await holdThread(transaction, access)),
  )
  await screenTitle(deps, access.room, title)
}

function changeOf({ room, thread }: HeldThread, body: UpdateThreadBody): ThreadChange {
  const { is_closed = thread.is_closed } = body
  const callerId = room.caller.user.id
  const isReopened = thread.is_closed && !is_closed
  if (isReopened && thread.closed_by !== callerId && !managesThreads(room))
    throw new ApiError('missing_permission')
  const isClosedNow = !thread.is_closed && is_closed
  return {
    title: body.title ?? thread.title,
    quiet_minutes: body.quiet_minutes ?? thread.quiet_minutes,
    is_closed,
    closed_by: isClosedNow ? callerId : is_closed ? thread.closed_by : null,
    is_asleep: body.is_asleep,
  }
}

/** Deletes the thread and its messages. The caller needs ManageThreads. */
export async function deleteThread(
  { database }: Pick<Deps, 'database'>,
  access: ThreadAccess,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const { room, thread } = await holdThread(transaction, access, 'ManageThreads')
    await removeThread(transaction, thread)
    await record(transaction, room, 'thread_delete', { ...targetOf(thread), before: thread })
  })
}

/**
 * Takes back a thread whose first message was refused, unless somebody has written in it.
 * @param fileIds uploads for the message, which another one may use
 */
export async function takeBackThread(
  { database }: Pick<Deps, 'database'>,
  access: ThreadAccess,
  fileIds: readonly string[],
): Promise<void> {
  await database.transaction(async (transaction) => {
    const { thread } = await holdThread(transaction, access)
    if (thread.last_seq > 0) return
    const { from, to, tenantId } = movingTo(access.place)
    const uploads = { ids: fileIds, ownerId: access.room.caller.user.id }
    await moveUploads(transaction, { tenantId, from: to, to: from }, uploads)
    await removeThread(transaction, thread)
  })
}

/**
 * Deletes a thread that is held, and has its content swept.
 * @param merged names the thread that has its messages from then on
 */
export async function removeThread(
  transaction: Transaction,
  thread: ThreadRow,
  merged: { merged_into?: string } = {},
): Promise<void> {
  const { space_id, room_id, id } = thread
  await deleteThreadRow(transaction, thread)
  await enqueueJob(transaction, 'sweep_thread', { space_id, room_id, thread_id: id })
  const gone = { id, room_id, space_id, ...merged }
  transaction.publish(event(topicOf.thread(space_id, room_id), 'THREAD_DELETE', gone))
}

export async function publishThread(
  transaction: Transaction,
  name: 'THREAD_CREATE' | 'THREAD_UPDATE',
  { tenantId, channelId }: Place,
): Promise<Thread> {
  const thread = await findThread(transaction, { space_id: tenantId, id: channelId })
  if (thread === undefined) throw new ApiError('unknown_thread')
  transaction.publish(event(topicOf.thread(tenantId, thread.room_id), name, thread))
  return thread
}

/** Returns the thread as the target of a change, for the audit log of its space. */
export function targetOf({ id, title, room_id }: Pick<Thread, 'id' | 'title' | 'room_id'>) {
  return { type: 'thread', id, name: title, roomId: room_id } as const
}

function checkTitle(title: string): void {
  if (!isFitTitle(title)) throw new ApiError('invalid_title')
}

function screenTitle(deps: Deps, access: RoomAccess, title: string): Promise<void> {
  return screenNames(deps, access, { source: 'room_name', roomId: access.room.id }, [title])
}
