import type { CreateMessageBody, Message, UpdateMessageBody } from '@foyer/protocol/messages'
import { MessageType } from '@foyer/protocol/messages'
import { has, Permission } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import { topicOf } from '#src/kernel/bus.ts'
import type { Database, Transaction } from '#src/kernel/database.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { encodeEvent, event } from '#src/kernel/events.ts'
import { newId } from '#src/kernel/ids.ts'
import type { RoomAccess } from '#src/spaces/access.ts'
import {
  deleteMessageRows,
  findMessage,
  findMessageIdByNonce,
  newMessage,
  type Place,
  updateContent,
} from './queries.ts'
import type { MessageWriter } from './writer.ts'

export interface MessageDeps {
  database: Database
  messageWriter: MessageWriter
}

export function placeOf({ spaceId, room }: RoomAccess): Place {
  return { spaceId, roomId: room.id }
}

/**
 * Sends a message. A nonce that the author used in this room within 24 hours sends nothing and answers with the message
 * it became: a retry never doubles.
 * @returns the message as JSON
 */
export async function createMessage(
  deps: MessageDeps,
  access: RoomAccess,
  body: CreateMessageBody,
): Promise<string> {
  if (access.room.type === RoomType.Category) throw new ApiError('not_a_message_room')
  const content = body.content ?? ''
  if (content === '') throw new ApiError('empty_message')
  const nonce = body.nonce ?? null
  const message = draftMessage(access, content, nonce)
  const written = await deps.messageWriter.write({
    tenantId: access.spaceId,
    channelId: access.room.id,
    message,
  })
  return written?.json ?? repeatedMessage(deps, access, nonce)
}

function draftMessage(access: RoomAccess, content: string, nonce: string | null): Omit<Message, 'seq'> {
  return {
    ...newMessage(placeOf(access)),
    id: newId(),
    type: MessageType.Default,
    author: access.caller.user,
    member: access.member,
    content,
    created_at: new Date().toISOString(),
    edited_at: null,
    pinned: false,
    flags: 0,
    nonce,
  }
}

async function repeatedMessage(deps: MessageDeps, access: RoomAccess, nonce: string | null): Promise<string> {
  if (nonce === null) throw new ApiError('unknown_room')
  const author = { authorId: access.caller.user.id, nonce }
  const id = await findMessageIdByNonce(deps.database, placeOf(access), author)
  if (id === undefined) throw new ApiError('unknown_room')
  return encodeEvent('MESSAGE_CREATE', await accessMessage(deps, access, id))
}

/** @throws ApiError 404 for what is no message of the room */
export async function accessMessage(
  { database }: MessageDeps,
  access: RoomAccess,
  messageId: string,
): Promise<Message> {
  const message = await findMessage(database, placeOf(access), messageId)
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

/** @param message from `accessOwnMessage` */
export async function updateMessage(
  { database }: MessageDeps,
  access: RoomAccess,
  message: Message,
  { content }: UpdateMessageBody,
): Promise<Message> {
  if (content === undefined) return message
  if (content === '') throw new ApiError('empty_message')
  const place = placeOf(access)
  const edit = { id: message.id, authorId: message.author.id, content }
  return database.transaction(async (transaction) => {
    const changed = await updateContent(transaction, place, edit)
    const edited = changed ? await findMessage(transaction, place, message.id) : undefined
    if (edited === undefined) throw new ApiError('unknown_message')
    transaction.publish(event(topicOf.room(place.spaceId, place.roomId), 'MESSAGE_UPDATE', edited))
    return edited
  })
}

/** Deletes the caller's own message, or anyone's with ManageMessages. */
export async function deleteMessage(deps: MessageDeps, access: RoomAccess, messageId: string): Promise<void> {
  const place = placeOf(access)
  const { author } = await accessMessage(deps, access, messageId)
  const isOwn = author.id === access.caller.user.id
  if (!isOwn && !has(access.permissions, Permission.ManageMessages)) throw new ApiError('missing_permission')
  await deps.database.transaction(async (transaction) => {
    const [deleted] = await deleteMessageRows(transaction, place, [messageId])
    if (deleted === undefined) throw new ApiError('unknown_message')
    const gone = { ...deleted, room_id: place.roomId, conversation_id: null, space_id: place.spaceId }
    transaction.publish(event(topicOf.room(place.spaceId, place.roomId), 'MESSAGE_DELETE', gone))
  })
}

/** Deletes those of the messages that are there, and tells of them together. */
export async function deleteMessages(
  transaction: Transaction,
  place: Place,
  ids: readonly string[],
): Promise<void> {
  const deleted = await deleteMessageRows(transaction, place, ids)
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
