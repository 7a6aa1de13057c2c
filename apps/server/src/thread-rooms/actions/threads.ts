import type { Thread, UpdateThreadBody } from '@foyer/protocol/thread-rooms'
import { isFitTitle } from '@foyer/protocol/thread-rooms'
import type { Place } from '#src/channels/place.ts'
import { updatePost } from '#src/forums/posts.ts'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { enqueueJob } from '#src/kernel/jobs.ts'
import { topicOf } from '#src/kernel/journal/bus.ts'
import type { ScreeningDeps } from '#src/moderation/screening/actions/consequences.ts'
import { screenNames } from '#src/moderation/screening/names.ts'
import type { RoomAccess } from '#src/spaces/access.ts'
import { record } from '#src/spaces/actions/audit.ts'
import { checkMayUpdate, type HeldThread, holdThread, managesThreads, type ThreadAccess } from '../access.ts'
import { deleteThreadRow, findThread, saveThread, type ThreadChange, type ThreadRow } from '../queries.ts'

type Deps = ScreeningDeps & { database: Database }

/**
 * Changes the given fields.
 * @throws ApiError 403 except for the creator and those with ManageThreads. Only the latter may reopen a thread that
 * a moderator closed
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

/** Checks the permission before the title, so that callers without permission do not learn the rules for titles. */
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
 * Deletes a locked thread, and has a job delete its content.
 * @param merged names the thread into which its messages were moved
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

/** @throws ApiError 400 for an unfit title */
export function checkTitle(title: string): void {
  if (!isFitTitle(title)) throw new ApiError('invalid_title')
}

/** @throws ApiError 403 for a title that a rule of the space refuses */
export function screenTitle(deps: Deps, access: RoomAccess, title: string): Promise<void> {
  return screenNames(deps, access, { source: 'room_name', roomId: access.room.id }, [title])
}
