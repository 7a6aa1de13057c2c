import { MAX_MESSAGE_FILES } from '@foyer/protocol/limits'
import { type Message, MessageFlag } from '@foyer/protocol/messages'
import { has, Permission } from '@foyer/protocol/permissions'
import type { ExecuteWebhookBody } from '@foyer/protocol/webhooks'
import type { Place } from '#src/channels/place.ts'
import { keepOrDiscard, storeFiles } from '#src/files/actions.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { SpooledFile } from '#src/kernel/http/multipart.ts'
import { WRITTEN_UUID } from '#src/kernel/ids.ts'
import { authorOfWebhook } from '#src/messages/authors.ts'
import { toEmbeds } from '#src/messages/embeds.ts'
import { resolveMentions } from '#src/messages/mentions.ts'
import { postMessage } from '#src/messages/posting.ts'
import { findMessage } from '#src/messages/reading.ts'
import type { SendDeps } from '#src/messages/sending.ts'
import { permissionsInRoom } from '#src/spaces/snapshots.ts'
import { linkButtonsOf } from './link-buttons.ts'
import { markedName } from './names.ts'
import type { WebhookPictures } from './pictures.ts'
import type { WebhookRow } from './queries.ts'

export interface ExecutionDeps extends SendDeps {
  webhookPictures: WebhookPictures
}

/** Flags by the numbers that integrations know, and by ours. Others are ignored, as everything unknown is. */
const FLAGS = [
  { given: 1 << 0, means: MessageFlag.SuppressEmbeds },
  { given: 1 << 1, means: MessageFlag.SuppressNotifications },
  { given: 1 << 2, means: MessageFlag.SuppressEmbeds },
  { given: 1 << 12, means: MessageFlag.SuppressNotifications },
]

export interface Order {
  body: ExecuteWebhookBody
  files?: readonly SpooledFile[]
  /** Posted once under it within 24 hours. */
  nonce?: string | undefined
  /** The message that the thread begins with in which it is posted. */
  threadId?: string | undefined
}

/**
 * Posts what a webhook was asked to.
 * @param enter proves that the webhook is still there, and says where: its body may have taken long to arrive
 * @throws ApiError 400 for what says nothing, 404 when the room is gone
 */
export async function executeWebhook(
  deps: ExecutionDeps,
  enter: () => Promise<WebhookRow>,
  { body, files = [], nonce, threadId }: Order,
): Promise<Message> {
  const embeds = toEmbeds(body.embeds)
  const content = body.content ?? ''
  const components = linkButtonsOf(body.components)
  if (content === '' && embeds.length + components.length + files.length === 0)
    throw new ApiError('empty_message')
  if (files.length > MAX_MESSAGE_FILES) throw new ApiError('too_many_files')
  const webhook = await enter()
  const place = placeOf(webhook)
  const at = { place, permissions: await permissionsOf(deps, webhook) }
  await findThread(deps, place, threadId)
  const [mentions, avatar, name] = await Promise.all([
    resolveMentions(deps, at, { content, allowed: body.allowed_mentions }),
    pictureOf(deps, webhook, body),
    markedName(deps.database, webhook.space_id, body.username || webhook.name),
  ])
  const home = { ...place, ownerId: webhook.id, purpose: 'message', where: 'bucket-or-own' } as const
  const stored = await storeFiles(deps, home, files)
  const author = authorOfWebhook({ id: webhook.id, name, avatar })
  const post = { content, embeds, components, mentions, flags: flagsOf(body), files: stored }
  return keepOrDiscard(deps, stored, async () => {
    const now = await enter()
    if (now.room_id !== webhook.room_id) throw new ApiError('unknown_webhook')
    // Files may take long to be stored: the thread is answered as it is now.
    const reply = await findThread(deps, place, threadId)
    const more = { ...(reply !== undefined && { reply }), ...(nonce !== undefined && { nonce }) }
    return postMessage(deps, { place, author }, { ...post, ...more })
  })
}

/**
 * The first message of a thread.
 * @throws ApiError 404 for another room's message, one that is a reply itself, and one that is gone
 */
async function findThread(
  deps: ExecutionDeps,
  place: Place,
  threadId: string | undefined,
): Promise<Message | undefined> {
  if (threadId === undefined) return undefined
  const first = WRITTEN_UUID.test(threadId) ? await findMessage(deps, place, threadId) : undefined
  if (first === undefined || first.thread_id !== null) throw new ApiError('unknown_message')
  return first
}

/**
 * A webhook posts as long as it exists: its creator had the right when it was made. Beyond that it may do what its creator
 * may do in the room now, and nothing once they have left.
 */
export async function permissionsOf(
  { snapshots }: Pick<ExecutionDeps, 'snapshots'>,
  { space_id, room_id, creator_id }: WebhookRow,
): Promise<number> {
  const { snapshot, member } = await snapshots.findStanding(space_id, creator_id)
  if (snapshot === undefined || member === undefined) return Permission.SendMessages
  const permissions = permissionsInRoom(snapshot, member, room_id)
  return has(permissions, Permission.ViewChannels) ? permissions : Permission.SendMessages
}

export function placeOf({ space_id, room_id }: WebhookRow) {
  return { tenantId: space_id, channelId: room_id }
}

/** A picture that cannot be had costs the picture, and not the message. */
async function pictureOf(
  { webhookPictures }: ExecutionDeps,
  webhook: WebhookRow,
  { avatar_url }: ExecuteWebhookBody,
): Promise<string | null> {
  const fetched = avatar_url ? await webhookPictures.find(webhook, avatar_url) : undefined
  return fetched ?? webhook.avatar
}

/** A message's flags, by the numbers that integrations send. */
export function flagsOf({ flags }: Pick<ExecuteWebhookBody, 'flags'>): number {
  const given = FLAGS.filter((flag) => ((flags ?? 0) & flag.given) !== 0)
  return given.reduce((sum, { means }) => sum | means, 0)
}
