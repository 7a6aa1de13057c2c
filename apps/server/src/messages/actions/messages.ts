import type { DeletedMessage, Message, UpdateMessageBody } from '@foyer/protocol/messages'
import { has, Permission } from '@foyer/protocol/permissions'
import type { ChannelAccess } from '#src/channels/access.ts'
import { channelOf, type Place, placeOfRow, topicOfChannel } from '#src/channels/place.ts'
import { discardFiles } from '#src/files/objects/actions.ts'
import { listMessageFiles } from '#src/files/objects/queries.ts'
import { forgetSolution } from '#src/forums/solutions.ts'
import type { Transaction } from '#src/kernel/database/database.ts'
import { event } from '#src/kernel/database/events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { deleteReactionRows } from '#src/messages/reactions/queries.ts'
import { forgetMessages } from '#src/search/index-changes.ts'
import { type RoomAccess, refusalOf } from '#src/spaces/access.ts'
import { record } from '#src/spaces/actions/audit.ts'
import { targetOf } from '../audit-target.ts'
import { type DeletedRow, deleteMentions, deleteMessageRows, deletePins } from '../change-queries.ts'
import { checkMayChange, checkMayRemove, checkParts } from '../content-rights.ts'
import { type EditDeps, editMessage } from '../editing.ts'
import { checkComponents, toEmbeds } from '../embeds.ts'
import { findRow } from '../queries.ts'
import { findMessage } from '../reading.ts'
import { isAuthored, type MessageRow } from '../rows.ts'
import { editorOf } from '../screening.ts'

export type MessageDeps = EditDeps

/** @throws ApiError 404 when the channel has no such message */
export async function accessMessage(
  deps: MessageDeps,
  { place, caller }: ChannelAccess,
  messageId: string,
): Promise<Message> {
  const message = await findMessage(deps, place, messageId, caller.user.id)
  if (message === undefined) throw new ApiError('unknown_message')
  return message
}

/** Returns the caller's own message, or anyone's with ManageMessages. */
export async function accessManagedMessage(
  deps: MessageDeps,
  access: ChannelAccess,
  messageId: string,
): Promise<MessageRow> {
  const row = await findRow(deps.database, access.place, messageId)
  if (row === undefined) throw new ApiError('unknown_message')
  if (!isOwn(access, row) && !has(access.permissions, Permission.ManageMessages))
    throw access.room === null ? new ApiError('missing_permission') : refusalOf(access.room)
  return row
}

function isOwn({ caller }: ChannelAccess, row: MessageRow): boolean {
  return row.author_id === caller.user.id
}

/**
 * Changes the content of the caller's own message. Callers with ManageMessages can also hide or show the previews of
 * other users' messages. Files, stickers and the reply's target stay.
 * @param row from `accessManagedMessage`
 */
export async function updateMessage(
  deps: MessageDeps,
  access: ChannelAccess,
  row: MessageRow,
  { flags, allowed_mentions: allowed, ...changed }: UpdateMessageBody,
): Promise<Message> {
  checkMayChange(access)
  if (!isAuthored(row)) throw new ApiError('not_editable')
  const { content } = changed
  const shown = [changed.embeds, changed.components].filter((list) => list !== undefined)
  const changesContent = content !== undefined || allowed !== undefined || shown.length > 0
  if (changesContent && !isOwn(access, row)) throw new ApiError('missing_permission')
  if (shown.length > 0 && !access.caller.user.is_bot)
    throw new ApiError('invalid_request', 'embeds and components are only for bots and webhooks')
  if (!changesContent && flags === undefined) return accessMessage(deps, access, row.id)
  checkParts(access, { embeds: changed.embeds })
  const embeds = changed.embeds === undefined ? undefined : toEmbeds(changed.embeds)
  const components = changed.components === undefined ? undefined : checkComponents(changed.components)
  const moderator = isOwn(access, row) ? null : access.room
  return editMessage(deps, { ...access, moderator, writer: editorOf(access) }, row.id, {
    content,
    flags,
    allowed,
    embeds,
    components,
  })
}

/** Deletes the caller's own message, or anyone's with ManageMessages. */
export async function deleteMessage(
  deps: MessageDeps,
  access: ChannelAccess,
  messageId: string,
): Promise<void> {
  checkMayRemove(access)
  const row = await accessManagedMessage(deps, access, messageId)
  const moderator = isOwn(access, row) ? null : access.room
  await deleteMessageOf(deps, access.place, messageId, moderator)
}

/**
 * Deletes a message without checking permissions: the caller has done so.
 * @param moderator the moderator, if they delete another user's message
 * @throws ApiError 404 for a deleted message
 */
export async function deleteMessageOf(
  deps: Pick<MessageDeps, 'database'>,
  place: Place,
  messageId: string,
  moderator: RoomAccess | null = null,
): Promise<void> {
  await deps.database.transaction(async (transaction) => {
    const [deleted] = await deleteWithDependents(transaction, place, [messageId])
    if (deleted === undefined) throw new ApiError('unknown_message')
    const from = placeOfRow(place.tenantId, deleted)
    const gone = { ...deletedMessage(deleted), ...channelOf(from) }
    transaction.publish(event(topicOfChannel(from), 'MESSAGE_DELETE', gone))
    if (moderator !== null)
      await record(transaction, moderator, 'message_delete', { ...targetOf(place, deleted), before: deleted })
  })
}

/** Deletes the messages that still exist, for a moderator of the room. */
export async function bulkDelete(
  { database }: Pick<MessageDeps, 'database'>,
  { place, room }: ChannelAccess,
  ids: readonly string[],
): Promise<void> {
  await database.transaction(async (transaction) => {
    const count = await deleteMessages(transaction, place, ids)
    if (room === null || count === 0) return
    const { id, name } = room.room
    const change = { type: 'room', id, name, roomId: id, before: { count } } as const
    await record(transaction, room, 'message_bulk_delete', change)
  })
}

/** Deletes the messages that still exist and publishes one event for all of them. Returns their number. */
export async function deleteMessages(
  transaction: Transaction,
  place: Place,
  ids: readonly string[],
): Promise<number> {
  const deleted = await deleteWithDependents(transaction, place, ids)
  const [first] = deleted
  if (first === undefined) return 0
  const from = placeOfRow(place.tenantId, first)
  const gone = {
    ids: deleted.map(({ id }) => id),
    messages: deleted.map(deletedMessage),
    ...channelOf(from),
  }
  transaction.publish(event(topicOfChannel(from), 'MESSAGE_DELETE_BULK', gone))
  return deleted.length
}

export function deletedMessage({ id, seq, author_id, ...row }: DeletedRow): DeletedMessage {
  const { mention_ids, mention_role_ids, mention_everyone, thread_id } = row
  return {
    id,
    seq,
    author_id,
    mentions: mention_ids ?? [],
    mention_roles: mention_role_ids ?? [],
    mention_everyone,
    thread_id,
  }
}

async function deleteWithDependents(
  transaction: Transaction,
  place: Place,
  ids: readonly string[],
): Promise<DeletedRow[]> {
  const deleted = await deleteMessageRows(transaction, place, ids)
  const idsOf = (rows: readonly DeletedRow[]) => rows.map(({ id }) => id)
  await deleteMentions(transaction, place, deleted)
  const reacted = idsOf(deleted.filter((row) => row.has_reactions))
  if (reacted.length > 0) await deleteReactionRows(transaction, place, reacted)
  const pinned = idsOf(deleted.filter((row) => row.pinned))
  const [first] = deleted
  const from = first === undefined ? place : placeOfRow(place.tenantId, first)
  if (pinned.length > 0) await unpin(transaction, from, pinned)
  const holders = idsOf(deleted.filter((row) => row.has_files))
  const files = holders.length === 0 ? [] : await listMessageFiles(transaction, place.tenantId, holders)
  const fileIds = files.map(({ id }) => id)
  await discardFiles(transaction, place.tenantId, fileIds)
  await forgetMessages(transaction, place, idsOf(deleted))
  await forgetSolution(transaction, from, idsOf(deleted))
  return deleted
}

async function unpin(transaction: Transaction, place: Place, ids: readonly string[]): Promise<void> {
  const pin_count = await deletePins(transaction, place, ids)
  transaction.publish(event(topicOfChannel(place), 'ROOM_PINS_UPDATE', { ...channelOf(place), pin_count }))
}
