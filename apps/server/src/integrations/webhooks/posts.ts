import { PostTags } from '@foyer/protocol/forums'
import { isFitTitle } from '@foyer/protocol/thread-rooms'
import { Type } from 'typebox'
import { beginPost } from '#src/forums/posts.ts'
import { checkTags } from '#src/forums/tags.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { compileInput, invalidInput } from '#src/kernel/http/validation.ts'
import { newId } from '#src/kernel/ids.ts'
import { screen } from '#src/moderation/screening/actions/consequences.ts'
import { webhookWriter } from '#src/moderation/screening/written.ts'
import { keepSpace } from '#src/spaces/membership.ts'
import { findRooms } from '#src/spaces/queries.ts'
import { publishThread, removeThread } from '#src/thread-rooms/actions/threads.ts'
import { insertThread, lockThread } from '#src/thread-rooms/queries.ts'
import type { ExecutionDeps, Order } from './order.ts'
import type { WebhookRow } from './queries.ts'
import { rightsOf } from './rights.ts'

type Asked = Pick<Order, 'body' | 'threadId'>

/**
 * Begins the post that a webhook of a forum names, in the name of the webhook's creator.
 * @returns the id of its thread; undefined for a message in a room or thread
 * @throws ApiError 400 for a forum without a thread or the title of a new one; as for members for unfit titles and tags
 */
export async function startPost(
  deps: ExecutionDeps,
  webhook: WebhookRow,
  { body, threadId }: Asked,
): Promise<string | undefined> {
  const title = body.thread_name ?? ''
  const snapshot = await deps.snapshots.find(webhook.space_id)
  const isForum = snapshot?.rooms.get(webhook.room_id)?.forum !== undefined
  if (!isForum) return undefined
  if (title !== '' && threadId !== undefined)
    throw new ApiError('invalid_request', 'thread_id and thread_name exclude each other')
  if (threadId !== undefined) return undefined
  if (title === '') throw new ApiError('thread_name_required')
  if (!isFitTitle(title)) throw new ApiError('invalid_title')
  const where = { spaceId: webhook.space_id, roomId: webhook.room_id, source: 'webhook' } as const
  await screen(deps, { ...where, writer: webhookWriter(webhook.id), texts: [title] })
  return insertPost(deps, webhook, { title, tags: readTags(body) })
}

const isTags = compileInput(Type.Object({ applied_tags: PostTags() }))

/** @throws ApiError 400 for anything but a list of ids */
function readTags({ applied_tags = null }: Order['body']): string[] {
  if (applied_tags === null) return []
  const given = { applied_tags }
  if (!isTags(given)) throw invalidInput(isTags.errors, 'the request body')
  return given.applied_tags
}

async function insertPost(
  deps: ExecutionDeps,
  webhook: WebhookRow,
  { title, tags }: { title: string; tags: readonly string[] },
): Promise<string> {
  const { space_id: spaceId, room_id: roomId, creator_id: creatorId } = webhook
  const { capabilities } = await rightsOf(deps, webhook)
  const id = newId()
  const place = { tenantId: spaceId, channelId: id, parentId: roomId }
  await deps.database.transaction(async (transaction) => {
    await keepSpace(transaction, spaceId)
    const [room] = await findRooms(transaction, spaceId, [roomId])
    if (room === undefined) throw new ApiError('unknown_webhook')
    checkTags({ room, capabilities }, tags)
    const thread = { spaceId, id, roomId, title, creatorId, starterMessageId: null, quietMinutes: undefined }
    await insertThread(transaction, thread)
    await beginPost(transaction, place, { title, tags })
    await publishThread(transaction, 'THREAD_CREATE', place)
  })
  return id
}

/** Takes back a post whose message was refused, unless somebody has written in it. */
export async function takeBackPost(
  { database }: Pick<ExecutionDeps, 'database'>,
  { space_id }: WebhookRow,
  id: string,
): Promise<void> {
  await database.transaction(async (transaction) => {
    const thread = await lockThread(transaction, { space_id, id })
    if (thread?.last_seq === 0) await removeThread(transaction, thread)
  })
}
