import type { Message, UpdateMessageBody } from '@foyer/protocol/messages'
import { has, Permission } from '@foyer/protocol/permissions'
import { discardFiles } from '#src/files/actions.ts'
import { listMessageFiles } from '#src/files/queries.ts'
import type { DownloadSigner } from '#src/files/signatures.ts'
import { topicOf } from '#src/kernel/bus.ts'
import type { Database, Transaction } from '#src/kernel/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { event } from '#src/kernel/events.ts'
import type { RoomAccess } from '#src/spaces/access.ts'
import { type DeletedRow, deleteMessageRows, findRow, updateContent } from './queries.ts'
import { findMessage } from './reading.ts'
import type { Place } from './rows.ts'
import { placeOf } from './sending.ts'

export interface MessageDeps {
  database: Database
  downloads: DownloadSigner
}

/** @throws ApiError 404 for what is no message of the room */
export async function accessMessage(
  deps: MessageDeps,
  access: RoomAccess,
  messageId: string,
): Promise<Message> {
  const message = await findMessage(deps, placeOf(access), messageId)
  if (message === undefined) throw new ApiError('unknown_message')
  return message
}

/** The caller's own message of the room: who may not change it gets 404 or 403, whatever they sent. */
export async function accessOwnMessage(
  deps: MessageDeps,
  access: RoomAccess,
  messageId: string,
): Promise<Message> {
  const message = await accessMessage(deps, access, messageId)
  if (message.author.id !== access.caller.user.id) throw new ApiError('missing_permission')
  return message
}

/**
 * Changes the text; the files and stickers stay, and where there are any, nothing of the text has to.
 * @param message from `accessOwnMessage`
 */
export async function updateMessage(
  { database, downloads }: MessageDeps,
  access: RoomAccess,
  message: Message,
  { content }: UpdateMessageBody,
): Promise<Message> {
  if (content === undefined) return message
  const isBare = message.attachments.length + message.stickers.length === 0
  if (content === '' && isBare) throw new ApiError('empty_message')
  const place = placeOf(access)
  const edit = { id: message.id, authorId: message.author.id, content }
  return database.transaction(async (transaction) => {
    const changed = await updateContent(transaction, place, edit)
    const reader = { database: transaction, downloads }
    const edited = changed ? await findMessage(reader, place, message.id) : undefined
    if (edited === undefined) throw new ApiError('unknown_message')
    transaction.publish(event(topicOf.room(place.spaceId, place.roomId), 'MESSAGE_UPDATE', edited))
    return edited
  })
}

/** Deletes the caller's own message, or anyone's with ManageMessages. */
export async function deleteMessage(deps: MessageDeps, access: RoomAccess, messageId: string): Promise<void> {
  const place = placeOf(access)
  const message = await findRow(deps.database, place, messageId)
  if (message === undefined) throw new ApiError('unknown_message')
  const isOwn = message.author_id === access.caller.user.id
  if (!isOwn && !has(access.permissions, Permission.ManageMessages)) throw new ApiError('missing_permission')
  await deps.database.transaction(async (transaction) => {
    const [deleted] = await deleteWithFiles(transaction, place, [messageId])
    if (deleted === undefined) throw new ApiError('unknown_message')
    const { id, seq } = deleted
    const gone = { id, seq, room_id: place.roomId, conversation_id: null, space_id: place.spaceId }
    transaction.publish(event(topicOf.room(place.spaceId, place.roomId), 'MESSAGE_DELETE', gone))
  })
}

/** Deletes those of the messages that are there, and tells of them together. */
export async function deleteMessages(
  transaction: Transaction,
  place: Place,
  ids: readonly string[],
): Promise<void> {
  const deleted = await deleteWithFiles(transaction, place, ids)
  if (deleted.length === 0) return
  const { spaceId, roomId } = place
  const gone = {
    ids: deleted.map(({ id }) => id),
    room_id: roomId,
    conversation_id: null,
    space_id: spaceId,
  }
  transaction.publish(event(topicOf.room(spaceId, roomId), 'MESSAGE_DELETE_BULK', gone))
}

async function deleteWithFiles(
  transaction: Transaction,
  place: Place,
  ids: readonly string[],
): Promise<DeletedRow[]> {
  const deleted = await deleteMessageRows(transaction, place, ids)
  const holders = deleted.filter((message) => message.has_files).map(({ id }) => id)
  const files = holders.length === 0 ? [] : await listMessageFiles(transaction, place.spaceId, holders)
  const fileIds = files.map(({ id }) => id)
  await discardFiles(transaction, place.spaceId, fileIds)
  return deleted
}
