import { MAX_MESSAGE_FILES } from '@foyer/protocol/limits'
import { type Message, MessageFlag } from '@foyer/protocol/messages'
import type { ExecuteWebhookBody } from '@foyer/protocol/webhooks'
import type { Place } from '#src/channels/place.ts'
import { keepOrDiscard, storeFiles } from '#src/files/objects/actions.ts'
import { describeFiles, namesOfFiles } from '#src/files/objects/descriptions.ts'
import type { FileRow } from '#src/files/objects/rows.ts'
import type { TurnsOptions } from '#src/kernel/database/turns.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { newId } from '#src/kernel/ids.ts'
import { rateLimits } from '#src/kernel/limits/rate-limits.ts'
import { authorOfWebhook } from '#src/messages/authors.ts'
import { toEmbeds } from '#src/messages/embeds.ts'
import { type Mentions, resolveMentions } from '#src/messages/mentions.ts'
import { type Post, postMessage } from '#src/messages/posting.ts'
import { findFirst, type Store } from '#src/messages/writing.ts'
import { screen } from '#src/moderation/screening/actions/consequences.ts'
import { webhookWriter, writtenPost } from '#src/moderation/screening/written.ts'
import { linkButtonsOf } from './link-buttons.ts'
import { markedName } from './names.ts'
import type { ExecutionDeps, Order } from './order.ts'
import { checkUnmoved, planPost, storeWithPost } from './posts.ts'
import type { WebhookRow } from './queries.ts'
import { rightsOf } from './rights.ts'
import { findTarget, type Target } from './targets.ts'
import type { Enter, Entrance } from './token-access.ts'

/** Limits of the queues per owner. A post takes a few milliseconds, and no client waits for longer than a minute. */
export const WEBHOOK_TURNS: TurnsOptions = {
  atOnce: 16,
  maxWaiting: rateLimits.ownerWebhooks.limit,
  maxWaitMs: 60_000,
}

/** Discord's flag bits, each with the flag of ours that it sets. Other bits are ignored. */
const FLAGS = [
  { given: 1 << 0, means: MessageFlag.SuppressEmbeds },
  { given: 1 << 1, means: MessageFlag.SuppressNotifications },
  { given: 1 << 2, means: MessageFlag.SuppressEmbeds },
  { given: 1 << 12, means: MessageFlag.SuppressNotifications },
]

/**
 * Posts a webhook's message. The webhooks of one owner post one after another: hundreds at once would delay everyone
 * else's messages.
 * @throws ApiError 400 for an empty message, 404 if the room was deleted, and with the errors of `planPost`
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
  const send = async (target: Order) => {
    const brought = await bring(deps, enter, target)
    return keepOrDiscard(deps, brought.files, () =>
      deps.webhookTurns.run(ownerId, async () => post(deps, await enter(), { ...target, shown, brought })),
    )
  }
  return send({ ...order, post: await planPost(deps, await enter(), order) })
}

/** Parts of a message that may take long to load, so they are loaded before queueing. */
interface Brought {
  /** Room of the webhook at that time; undefined if nothing had to be loaded. */
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
  const { place } = await findTarget(deps, webhook, threadId)
  // If loading the picture fails, the message is posted without it.
  const avatar = url ? await deps.webhookPictures.find(webhook, url) : undefined
  const home = { ...place, ownerId: webhook.id, purpose: 'message', where: 'bucket-or-own' } as const
  const stored = await storeFiles(deps, home, files)
  const described = describeFiles(stored, namesOfFiles(files, []), body.attachments ?? [])
  return { roomId: webhook.room_id, avatar, files: described }
}

interface Prepared extends Order {
  shown: Pick<Post, 'embeds' | 'components'>
  brought: Brought
}

async function post(deps: ExecutionDeps, webhook: WebhookRow, prepared: Prepared): Promise<Message> {
  const { body, nonce, shown, brought } = prepared
  if (brought.roomId !== undefined && brought.roomId !== webhook.room_id)
    throw new ApiError('unknown_webhook')
  await checkUnmoved(deps, webhook, prepared)
  const { place, reply, store } = await targetOf(deps, webhook, prepared)
  const repeated = await findScreened(deps, place, webhook, nonce)
  if (repeated !== undefined) return repeated
  const content = body.content ?? ''
  const at = { place, ...(await rightsOf(deps, webhook)) }
  const [mentions, name] = await Promise.all([
    resolveMentions(deps, at, { content, allowed: body.allowed_mentions }),
    markedName(deps.database, webhook.space_id, body.username || webhook.name),
  ])
  const author = authorOfWebhook({ id: webhook.id, name, avatar: brought.avatar ?? webhook.avatar })
  await screenPost(deps, webhook, { name, mentions, content, ...shown, files: brought.files })
  const post = { content, ...shown, mentions, flags: flagsOf(body), files: brought.files }
  const more = { ...(reply !== undefined && { reply }), ...(nonce !== undefined && { nonce }) }
  return postMessage(deps, { place, author, store }, { ...post, ...more })
}

/** Returns the place in which to post. A message that begins a forum post gets a new place. */
async function targetOf(
  deps: ExecutionDeps,
  webhook: WebhookRow,
  { post, threadId }: Order,
): Promise<Target & { store?: Store }> {
  const target = await findTarget(deps, webhook, threadId)
  if (post === undefined) return target
  const { tenantId, channelId: parentId } = target.place
  const place = { tenantId, channelId: newId(), parentId }
  return { place, reply: undefined, store: storeWithPost(deps, webhook, post) }
}

/**
 * Returns the message that was posted with this nonce, so that AutoMod does not check it twice. In a space without rules, the
 * writer recognizes the nonce itself.
 */
async function findScreened(
  deps: ExecutionDeps,
  place: Place,
  webhook: WebhookRow,
  nonce: string | undefined,
): Promise<Message | undefined> {
  if (nonce === undefined || !(await deps.screening.hasRules(webhook.space_id))) return undefined
  const first = await findFirst(deps, { place, authorId: webhook.id, nonce })
  return first === undefined ? undefined : JSON.parse(first)
}

/**
 * @throws ApiError 403 if a rule of the space refuses the message. It cannot be held, because a webhook cannot be
 * notified.
 */
async function screenPost(
  deps: ExecutionDeps,
  { id, space_id, room_id }: WebhookRow,
  post: Post & { name: string; mentions: Mentions },
): Promise<void> {
  const where = { spaceId: space_id, roomId: room_id, source: 'webhook', writer: webhookWriter(id) } as const
  await screen(deps, writtenPost(where, post))
}

/** Translates flags from the numbers that integrations send. */
export function flagsOf({ flags }: Pick<ExecuteWebhookBody, 'flags'>): number {
  const given = FLAGS.filter((flag) => ((flags ?? 0) & flag.given) !== 0)
  return given.reduce((sum, { means }) => sum | means, 0)
}
