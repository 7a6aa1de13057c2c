import {
  type CreateReference,
  MessageFlag,
  type MessageReference,
  ReferenceType,
} from '@foyer/protocol/messages'
import { accessChannel, type ChannelAccess, type ChannelDeps } from '#src/channels/access.ts'
import { channelOf, type Place } from '#src/channels/place.ts'
import { listMessageFiles } from '#src/files/objects/queries.ts'
import type { FileRow } from '#src/files/objects/rows.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import { findRow } from './queries.ts'
import { completeMessages, type MessageReader } from './reading.ts'
import { storedReference } from './references.ts'
import { isAuthored, type MessageRow, type StoredSnapshot } from './rows.ts'

/** The content of a forwarded message, and the files to copy. */
export interface Forward {
  reference: MessageReference
  snapshot: StoredSnapshot
  files: readonly FileRow[]
}

/**
 * Takes a snapshot of a message to forward. For a forward, the snapshot it already has is used.
 * @throws ApiError 404 and 403 if the caller may not read the message, 400 for system messages and for deferred answers
 */
export async function takeSnapshot(
  deps: ChannelDeps & MessageReader,
  caller: Caller,
  { message_id, room_id, conversation_id }: CreateReference,
  target: Place,
): Promise<Forward> {
  const params = { roomId: room_id ?? undefined, conversationId: conversation_id ?? undefined }
  const place = room_id || conversation_id ? await placeOf(deps, caller, params) : target
  const row = await findRow(deps.database, place, message_id)
  if (row === undefined) throw new ApiError('unknown_message')
  // A deferred answer has no content yet.
  if (!isAuthored(row) || (row.flags & MessageFlag.Loading) !== 0) throw new ApiError('not_forwardable')
  const files = row.has_files ? await listMessageFiles(deps.database, place.tenantId, [row.id]) : []
  return {
    reference: { type: ReferenceType.Forward, message_id, ...channelOf(place) },
    snapshot: row.snapshot ?? (await snapshotNow(deps, place, row)),
    files,
  }
}

/**
 * Finds the original of a forward.
 * @throws ApiError 404 if the caller may not view the original, if the message is not a forward, or if either was deleted
 */
export async function findOrigin(
  deps: ChannelDeps & Pick<MessageReader, 'database'>,
  { caller, place }: ChannelAccess,
  messageId: string,
): Promise<MessageReference> {
  const row = await findRow(deps.database, place, messageId)
  const reference = row && storedReference(row)
  if (reference?.type !== ReferenceType.Forward) throw new ApiError('unknown_message')
  const { room_id, conversation_id, message_id } = reference
  const params = { roomId: room_id ?? undefined, conversationId: conversation_id ?? undefined }
  const origin = await accessChannel(deps, caller, params).catch(hide)
  const found = await findRow(deps.database, origin.place, message_id ?? '')
  if (found === undefined) throw new ApiError('unknown_message')
  return { ...reference, ...channelOf(origin.place) }
}

/** Answers 404 for a channel that the caller may not view, as for a deleted one. */
function hide(error: unknown): never {
  throw error instanceof ApiError ? new ApiError('unknown_message') : error
}

async function placeOf(
  deps: ChannelDeps,
  caller: Caller,
  params: { roomId: string | undefined; conversationId: string | undefined },
): Promise<Place> {
  const { roomId, conversationId } = params
  if (roomId !== undefined && conversationId !== undefined)
    throw new ApiError('invalid_request', 'reference must not name both a room and a conversation')
  const { place } = await accessChannel(deps, caller, roomId === undefined ? { conversationId } : { roomId })
  return place
}

async function snapshotNow(reader: MessageReader, place: Place, row: MessageRow): Promise<StoredSnapshot> {
  const [message] = await completeMessages(reader, place, [row])
  if (message === undefined) throw new ApiError('unknown_message')
  const { content, created_at, edited_at, flags, embeds, stickers } = message
  return { content, created_at, edited_at, flags, embeds, stickers }
}
