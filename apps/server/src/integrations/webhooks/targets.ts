import type { Message } from '@foyer/protocol/messages'
import { type Place, placeOfThread } from '#src/channels/place.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { WRITTEN_UUID } from '#src/kernel/ids.ts'
import { findMessage, type MessageReader } from '#src/messages/reading.ts'
import type { ThreadPlace, ThreadPlaces } from '#src/spaces/thread-places.ts'
import type { WebhookRow } from './queries.ts'

interface Deps extends MessageReader {
  threadPlaces: ThreadPlaces
}

/** The place in which a webhook posts: its room, or a thread of it. */
export interface Target {
  readonly place: Place
  /** The first message of a chain of replies to post in. */
  readonly reply: Message | undefined
}

/**
 * Finds where a webhook posts. A closed thread takes no messages from webhooks, as from members.
 * @param threadId a thread of the room, or the first message of a chain of replies
 * @throws ApiError 403 for a closed thread, 404 for a thread or a message of another room, a reply, and a deleted
 * message
 */
export async function findTarget(
  deps: Deps,
  webhook: WebhookRow,
  threadId: string | undefined,
): Promise<Target> {
  const place = placeOf(webhook)
  if (threadId === undefined) return { place, reply: undefined }
  const thread = await findThreadRoom(deps, threadId)
  if (thread !== undefined) {
    if (!isOfRoom(thread, webhook)) throw new ApiError('unknown_thread')
    if (thread.is_closed) throw new ApiError('thread_closed')
    return { place: placeOfThread(thread), reply: undefined }
  }
  const first = WRITTEN_UUID.test(threadId) ? await findMessage(deps, place, threadId) : undefined
  if (first === undefined || first.thread_id !== null) throw new ApiError('unknown_message')
  return { place, reply: first }
}

/** Returns where a message of the webhook may be: in the thread, if the id is that of a thread of its room, or in the room. */
export async function findPlace(
  deps: Pick<Deps, 'threadPlaces'>,
  webhook: WebhookRow,
  threadId: string | undefined,
): Promise<Place> {
  const thread = threadId === undefined ? undefined : await findThreadRoom(deps, threadId)
  return thread !== undefined && isOfRoom(thread, webhook) ? placeOfThread(thread) : placeOf(webhook)
}

async function findThreadRoom(
  { threadPlaces }: Pick<Deps, 'threadPlaces'>,
  id: string,
): Promise<ThreadPlace | undefined> {
  return WRITTEN_UUID.test(id) ? threadPlaces.find(id.toLowerCase()) : undefined
}

function isOfRoom(thread: ThreadPlace, { space_id, room_id }: WebhookRow): boolean {
  return thread.space_id === space_id && thread.room_id === room_id
}

function placeOf({ space_id, room_id }: WebhookRow): Place {
  return { tenantId: space_id, channelId: room_id }
}
