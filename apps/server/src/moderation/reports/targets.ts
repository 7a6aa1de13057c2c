import type { Message } from '@foyer/protocol/messages'
import type { CreateReportBody, ReportedMessage, ReportTarget } from '@foyer/protocol/reports'
import { accessChannel, type ChannelDeps } from '#src/channels/access.ts'
import { isConversation, type Place } from '#src/channels/place.ts'
import { listMessageFiles } from '#src/files/objects/queries.ts'
import type { FileRow } from '#src/files/objects/rows.ts'
import { findWorkingInvite } from '#src/invites/queries.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import { findRows } from '#src/messages/queries.ts'
import { completeMessages, type MessageReader } from '#src/messages/reading.ts'
import { isAuthored, type MessageRow } from '#src/messages/rows.ts'
import { findUsers } from '#src/people/users/queries.ts'
import type { StoredCopy } from './queries.ts'

export type TargetDeps = ChannelDeps & MessageReader

/** The target of a report in its current state. */
export interface Reported {
  readonly type: ReportTarget
  readonly id: string
  /** The space whose moderators decide; null if operators decide. */
  readonly spaceId: string | null
  /** The channel of a reported message; null for other targets. */
  readonly place: Place | null
  readonly userId: string | null
  readonly copy: StoredCopy
  /** Files to copy. */
  readonly files: readonly FileRow[]
}

/**
 * Finds the target of a report, and copies it.
 * @throws ApiError 404 for a target that does not exist or that the caller may not see; 400 if the target is the caller's own
 * or a system message, or if the body does not name exactly one target
 */
export async function findReported(
  deps: TargetDeps,
  caller: Caller,
  body: CreateReportBody,
): Promise<Reported> {
  const { message_id, user_id, space_id } = body
  const named = [message_id, user_id, space_id].filter((id) => id !== undefined)
  if (named.length !== 1)
    throw new ApiError('invalid_request', 'exactly one of message_id, user_id and space_id is needed')
  if (user_id !== undefined) return reportedUser(deps, caller, user_id)
  if (space_id !== undefined) return reportedSpace(deps, caller, space_id, body.invite)
  return reportedMessage(deps, caller, body, message_id ?? '')
}

async function reportedUser({ database }: TargetDeps, caller: Caller, userId: string): Promise<Reported> {
  const [user] = await findUsers(database, [userId])
  if (user === undefined || user.deleted_at !== null) throw new ApiError('unknown_user')
  if (user.id === caller.user.id) throw new ApiError('reporting_oneself')
  const copy = { messages: [], user, space: null }
  return { type: 'user', id: user.id, spaceId: null, place: null, userId: user.id, copy, files: [] }
}

async function reportedSpace(
  { database, snapshots }: TargetDeps,
  caller: Caller,
  spaceId: string,
  invite: string | undefined,
): Promise<Reported> {
  const { snapshot, member } = await snapshots.findMembership(spaceId, caller.user.id)
  const isInvited = invite !== undefined && (await findWorkingInvite(database, invite))?.space_id === spaceId
  if (snapshot === undefined || (member === undefined && !isInvited)) throw new ApiError('unknown_space')
  const { id, name, description, owner_id } = snapshot.space
  if (owner_id === caller.user.id) throw new ApiError('reporting_oneself')
  const [owner] = await findUsers(database, [owner_id])
  if (owner === undefined) throw new ApiError('unknown_space')
  const copy = { messages: [], user: null, space: { id, name, description, owner } }
  return { type: 'space', id, spaceId: null, place: null, userId: owner_id, copy, files: [] }
}

async function reportedMessage(
  deps: TargetDeps,
  caller: Caller,
  { room_id: roomId, conversation_id: conversationId, context_ids: contextIds = [] }: CreateReportBody,
  messageId: string,
): Promise<Reported> {
  if ((roomId === undefined) === (conversationId === undefined))
    throw new ApiError('invalid_request', 'a message needs one of room_id and conversation_id')
  if (roomId !== undefined && contextIds.length > 0)
    throw new ApiError('invalid_request', 'only reports from conversations have context_ids')
  const { place, room } = await accessChannel(deps, caller, { roomId, conversationId }).catch(hide)
  const { rows, reported } = await findAll(deps, place, messageId, contextIds)
  if (!isAuthored(reported)) throw new ApiError('not_reportable')
  if (reported.author_id === caller.user.id) throw new ApiError('reporting_oneself')
  const messages = await completeMessages(deps, place, rows)
  const author = messages.find(({ id }) => id === messageId)?.author
  const userId = reported.webhook_id === null ? (author?.id ?? null) : null
  // Moderators do not decide about the owner, who can appoint and remove them.
  const isOfOwner = room !== null && room.snapshot.space.owner_id === userId
  return {
    type: 'message',
    id: messageId,
    spaceId: isConversation(place) || isOfOwner ? null : place.tenantId,
    place,
    userId,
    copy: { messages: messages.map(copyOf), user: null, space: null },
    files: reported.has_files ? await listMessageFiles(deps.database, place.tenantId, [messageId]) : [],
  }
}

/** Finds the reported message and its context, oldest first. */
async function findAll(
  { database }: TargetDeps,
  place: Place,
  messageId: string,
  contextIds: readonly string[],
): Promise<{ rows: MessageRow[]; reported: MessageRow }> {
  const ids = [...new Set([messageId, ...contextIds])]
  const { tenantId, channelId } = place
  const found = await findRows(
    database,
    tenantId,
    ids.map((id) => ({ channelId, id })),
  )
  const reported = found.find(({ id }) => id === messageId)
  if (reported === undefined || found.length < ids.length) throw new ApiError('unknown_message')
  return { rows: found.toSorted((one, other) => one.seq - other.seq), reported }
}

/** Replaces errors by a 404: a channel that the caller may not view looks like a deleted one. */
function hide(error: unknown): never {
  throw error instanceof ApiError ? new ApiError('unknown_message') : error
}

/** Copies a message without its files. A forward is copied with the forwarded content. */
function copyOf(message: Message): Omit<ReportedMessage, 'attachments'> {
  const { id, author, created_at, edited_at, snapshot } = message
  const { content, embeds, stickers, attachments } = snapshot ?? message
  return { id, author, content, created_at, edited_at, embeds, stickers, file_count: attachments.length }
}
