import { MAX_MESSAGE_FILES } from '@foyer/protocol/limits'
import { type Message, MessageFlag } from '@foyer/protocol/messages'
import { has, Permission } from '@foyer/protocol/permissions'
import type { ExecuteWebhookBody } from '@foyer/protocol/webhooks'
import type { Place } from '#src/channels/place.ts'
import { keepOrDiscard, storeFiles } from '#src/files/actions.ts'
import type { FileRow } from '#src/files/rows.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { SpooledFile } from '#src/kernel/http/multipart.ts'
import { WRITTEN_UUID } from '#src/kernel/ids.ts'
import { rateLimits } from '#src/kernel/rate-limits.ts'
import type { Turns, TurnsOptions } from '#src/kernel/turns.ts'
import { authorOfWebhook } from '#src/messages/authors.ts'
import { toEmbeds } from '#src/messages/embeds.ts'
import { resolveMentions } from '#src/messages/mentions.ts'
import { type Post, postMessage } from '#src/messages/posting.ts'
import { findMessage } from '#src/messages/reading.ts'
import type { SendDeps } from '#src/messages/sending.ts'
import { permissionsInRoom } from '#src/spaces/snapshots.ts'
import { linkButtonsOf } from './link-buttons.ts'
import { markedName } from './names.ts'
import type { WebhookPictures } from './pictures.ts'
import type { WebhookRow } from './queries.ts'
import type { Enter, Entrance } from './token-access.ts'

export interface ExecutionDeps extends SendDeps {
  webhookPictures: WebhookPictures
  /** By the owner of the space. */
  webhookTurns: Turns
}

/** The limit of an owner may wait. Each takes some milliseconds, and no client waits for longer than this. */
export const WEBHOOK_TURNS: TurnsOptions = {
  atOnce: 16,
  maxWaiting: rateLimits.ownerWebhooks.limit,
  maxWaitMs: 60_000,
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
 * Posts what a webhook was asked to. The webhooks of one owner post one after the other: hundreds at once would make the messages
 * of all others wait for theirs.
 * @throws ApiError 400 for what says nothing, 404 when the room is gone
 */
export async function executeWebhook(
  deps: ExecutionDeps,
  { ownerId, enter }: Entrance,
  order: Order,
): Promise<Message> {
  const { body, files = [] } = order
  const shown = { embeds: toEmbeds(body.embeds), components: linkButtonsOf(body.components) }
  if ((body.content ?? '') === '' && shown.embeds.length + shown.components.length + files.length === 0)
    throw new ApiError('empty_message')
  if (files.length > MAX_MESSAGE_FILES) throw new ApiError('too_many_files')
  const brought = await bring(deps, enter, order)
  return keepOrDiscard(deps, brought.files, () =>
    deps.webhookTurns.run(ownerId, async () => post(deps, await enter(), { ...order, shown, brought })),
  )
}

/** What a message needs that may take long to get: nobody waits in line for it. */
interface Brought {
  /** Where the webhook was by then; undefined where nothing was needed. */
  roomId: string | undefined
  avatar: string | undefined
  files: readonly FileRow[]
}

async function bring(
  deps: ExecutionDeps,
  enter: Enter,
  { body, files = [], threadId }: Order,
): Promise<Brought> {
  const url = body.avatar_url
  if (!url && files.length === 0) return { roomId: undefined, avatar: undefined, files: [] }
  const webhook = await enter()
  const place = placeOf(webhook)
  await findThread(deps, place, threadId)
  // A picture that cannot be had costs the picture, and not the message.
  const avatar = url ? await deps.webhookPictures.find(webhook, url) : undefined
  const home = { ...place, ownerId: webhook.id, purpose: 'message', where: 'bucket-or-own' } as const
  return { roomId: webhook.room_id, avatar, files: await storeFiles(deps, home, files) }
}

interface Prepared extends Order {
  shown: Pick<Post, 'embeds' | 'components'>
  brought: Brought
}

async function post(
  deps: ExecutionDeps,
  webhook: WebhookRow,
  { body, nonce, threadId, shown, brought }: Prepared,
): Promise<Message> {
  if (brought.roomId !== undefined && brought.roomId !== webhook.room_id)
    throw new ApiError('unknown_webhook')
  const place = placeOf(webhook)
  const content = body.content ?? ''
  const at = { place, permissions: await permissionsOf(deps, webhook) }
  const [reply, mentions, name] = await Promise.all([
    findThread(deps, place, threadId),
    resolveMentions(deps, at, { content, allowed: body.allowed_mentions }),
    markedName(deps.database, webhook.space_id, body.username || webhook.name),
  ])
  const author = authorOfWebhook({ id: webhook.id, name, avatar: brought.avatar ?? webhook.avatar })
  const said = { content, ...shown, mentions, flags: flagsOf(body), files: brought.files }
  const more = { ...(reply !== undefined && { reply }), ...(nonce !== undefined && { nonce }) }
  return postMessage(deps, { place, author }, { ...said, ...more })
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
  const { snapshot, member } = await snapshots.findMembership(space_id, creator_id)
  if (snapshot === undefined || member === undefined) return Permission.SendMessages
  const permissions = permissionsInRoom(snapshot, member, room_id)
  return has(permissions, Permission.ViewChannels) ? permissions : Permission.SendMessages
}

export function placeOf({ space_id, room_id }: WebhookRow) {
  return { tenantId: space_id, channelId: room_id }
}

/** A message's flags, by the numbers that integrations send. */
export function flagsOf({ flags }: Pick<ExecuteWebhookBody, 'flags'>): number {
  const given = FLAGS.filter((flag) => ((flags ?? 0) & flag.given) !== 0)
  return given.reduce((sum, { means }) => sum | means, 0)
}
