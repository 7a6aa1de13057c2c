import { type Message, MessageFlag } from '@foyer/protocol/messages'
import type { UpdateWebhookMessageBody } from '@foyer/protocol/webhooks'
import { placeOfRow } from '#src/channels/place.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { deleteMessageOf, type MessageDeps } from '#src/messages/actions/messages.ts'
import { editMessage } from '#src/messages/editing.ts'
import { toEmbeds } from '#src/messages/embeds.ts'
import { findRow } from '#src/messages/queries.ts'
import { findMessage } from '#src/messages/reading.ts'
import type { MessageRow } from '#src/messages/rows.ts'
import { webhookWriter } from '#src/moderation/screening/written.ts'
import type { ThreadPlaces } from '#src/spaces/thread-places.ts'
import { flagsOf } from './execution.ts'
import { linkButtonsOf } from './link-buttons.ts'
import type { WebhookRow } from './queries.ts'
import { rightsOf } from './rights.ts'
import { findPlace } from './targets.ts'

export type OwnMessageDeps = MessageDeps & { threadPlaces: ThreadPlaces }

/** Id of a message, and of its thread if given. */
export interface OwnMessage {
  id: string
  threadId: string | undefined
}

/** @throws ApiError 404 for a message that the webhook did not post in its current room */
export async function accessOwnMessage(
  deps: OwnMessageDeps,
  webhook: WebhookRow,
  { id, threadId }: OwnMessage,
): Promise<MessageRow> {
  const place = await findPlace(deps, webhook, threadId)
  const row = await findRow(deps.database, place, id)
  const isInThread = threadId === undefined || place.parentId !== undefined || row?.thread_id === threadId
  const isThere = row?.webhook_id === webhook.id && isInThread
  if (!isThere) throw new ApiError('unknown_message')
  return row
}

/** @throws ApiError 404 for a message that the webhook did not post in its current room */
export async function findOwnMessage(
  deps: OwnMessageDeps,
  webhook: WebhookRow,
  wish: OwnMessage,
): Promise<Message> {
  const row = await accessOwnMessage(deps, webhook, wish)
  const message = await findMessage(deps, placeOfRow(webhook.space_id, row), wish.id)
  if (message === undefined) throw new ApiError('unknown_message')
  return message
}

/**
 * Changes the content of the webhook's message. Name, avatar and files stay.
 * @param row from `accessOwnMessage`
 * @throws ApiError 400 if nothing would be left of it
 */
export async function updateOwnMessage(
  deps: MessageDeps,
  webhook: WebhookRow,
  row: MessageRow,
  body: UpdateWebhookMessageBody,
): Promise<Message> {
  const rights = await rightsOf(deps, webhook)
  const at = { place: placeOfRow(webhook.space_id, row), writer: webhookWriter(webhook.id), ...rights }
  return editMessage(deps, at, row.id, {
    content: body.content === undefined ? undefined : (body.content ?? ''),
    embeds: body.embeds === undefined ? undefined : toEmbeds(body.embeds),
    components: body.components === undefined ? undefined : linkButtonsOf(body.components),
    allowed: body.allowed_mentions,
    flags: flagsAfter(row, body),
  })
}

/** Returns the flags after an edit; undefined for no change. Only SuppressEmbeds can change later. */
function flagsAfter(row: MessageRow, body: UpdateWebhookMessageBody): number | undefined {
  if (body.flags === undefined || body.flags === null) return undefined
  const { SuppressEmbeds } = MessageFlag
  return (row.flags & ~SuppressEmbeds) | (flagsOf(body) & SuppressEmbeds)
}

export async function deleteOwnMessage(
  deps: OwnMessageDeps,
  webhook: WebhookRow,
  wish: OwnMessage,
): Promise<void> {
  const row = await accessOwnMessage(deps, webhook, wish)
  await deleteMessageOf(deps, placeOfRow(webhook.space_id, row), wish.id)
}
