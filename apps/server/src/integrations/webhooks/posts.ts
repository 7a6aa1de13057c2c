import { PostTags } from '@foyer/protocol/forums'
import { isFitTitle } from '@foyer/protocol/thread-rooms'
import { Type } from 'typebox'
import { checkTags } from '#src/forums/tags.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { compileInput, invalidInput } from '#src/kernel/http/validation.ts'
import type { Store } from '#src/messages/writing.ts'
import { screen } from '#src/moderation/screening/actions/consequences.ts'
import { webhookWriter } from '#src/moderation/screening/written.ts'
import { keepSpace } from '#src/spaces/membership.ts'
import { findRooms } from '#src/spaces/queries.ts'
import { beginThread } from '#src/thread-rooms/actions/beginning.ts'
import type { ExecutionDeps, Order, PlannedPost } from './order.ts'
import type { WebhookRow } from './queries.ts'
import { rightsOf } from './rights.ts'

type Asked = Pick<Order, 'body' | 'threadId'>

/**
 * Checks the post that a webhook of a forum begins.
 * @returns undefined for a message in a room or thread
 * @throws ApiError 400 for a forum if neither a thread nor a title is given, and for an unfit title; 403 if a rule
 * refuses the title
 */
export async function planPost(
  deps: ExecutionDeps,
  webhook: WebhookRow,
  { body, threadId }: Asked,
): Promise<PlannedPost | undefined> {
  const title = body.thread_name ?? ''
  if (!(await isOfForum(deps, webhook))) return undefined
  if (title !== '' && threadId !== undefined)
    throw new ApiError('invalid_request', 'thread_id and thread_name exclude each other')
  if (threadId !== undefined) return undefined
  if (title === '') throw new ApiError('thread_name_required')
  if (!isFitTitle(title)) throw new ApiError('invalid_title')
  const where = { spaceId: webhook.space_id, roomId: webhook.room_id, source: 'webhook' } as const
  await screen(deps, { ...where, writer: webhookWriter(webhook.id), texts: [title] })
  return { roomId: webhook.room_id, title, tags: readTags(body) }
}

/** Returns true for a webhook of a forum. The type of a room never changes. */
async function isOfForum(
  { snapshots }: Pick<ExecutionDeps, 'snapshots'>,
  { space_id, room_id }: WebhookRow,
): Promise<boolean> {
  const snapshot = await snapshots.find(space_id)
  return snapshot?.rooms.get(room_id)?.forum !== undefined
}

/**
 * Checks that the webhook was not moved since its message was planned: into a forum, which has no messages of its own, or away
 * from the one in which it begins a post.
 * @throws ApiError 400 for a forum without a thread, 404 for another forum
 */
export async function checkUnmoved(
  deps: Pick<ExecutionDeps, 'snapshots'>,
  webhook: WebhookRow,
  { post, threadId }: Pick<Order, 'post' | 'threadId'>,
): Promise<void> {
  if (post !== undefined && post.roomId !== webhook.room_id) throw new ApiError('unknown_webhook')
  if (post !== undefined || threadId !== undefined) return
  if (await isOfForum(deps, webhook)) throw new ApiError('thread_name_required')
}

const isTags = compileInput(Type.Object({ applied_tags: PostTags() }))

/** @throws ApiError 400 for anything but a list of ids */
function readTags({ applied_tags = null }: Order['body']): string[] {
  if (applied_tags === null) return []
  const given = { applied_tags }
  if (!isTags(given)) throw invalidInput(isTags.errors, 'the request body')
  return given.applied_tags
}

/** Returns a function that stores a message with the post that it begins, in the name of the webhook's creator. */
export function storeWithPost(deps: ExecutionDeps, webhook: WebhookRow, { title, tags }: PlannedPost): Store {
  const { space_id: spaceId, room_id: roomId, creator_id: creatorId } = webhook
  return async (draft) => {
    const { capabilities } = await rightsOf(deps, webhook)
    const { place } = draft
    const thread = { place, title, tags, creatorId, followerId: null, starterMessageId: null }
    return deps.messageWriter.writeFirst(draft, async (transaction) => {
      await keepSpace(transaction, spaceId)
      const [room] = await findRooms(transaction, spaceId, [roomId])
      if (room === undefined) throw new ApiError('unknown_webhook')
      checkTags({ room, capabilities }, tags)
      await beginThread(transaction, room, { ...thread, quietMinutes: undefined }, draft)
    })
  }
}
