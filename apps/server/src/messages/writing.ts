import type { Logger } from 'pino'
import type { ChannelAccess, ChannelDeps } from '#src/channels/access.ts'
import { isConversation } from '#src/channels/place.ts'
import { whileOpen } from '#src/conversations/reopening.ts'
import type { FileRow } from '#src/files/objects/rows.ts'
import type { DownloadSigner } from '#src/files/objects/signatures.ts'
import { explainUnclaimed, type UploadDeps } from '#src/files/objects/uploads.ts'
import { encodeEvent } from '#src/kernel/database/events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { MessageSensor } from '#src/moderation/door/message-sensor.ts'
import type { Screening } from '#src/moderation/screening/screening.ts'
import { followByMessage } from '#src/thread-rooms/actions/follows.ts'
import type { Contents } from './contents.ts'
import { type Draft, draftMessage, type MessageExtras } from './draft.ts'
import { findMessageIdByNonce, findRow, hasHead } from './queries.ts'
import { findMessage } from './reading.ts'
import type { MessageWriter, Written } from './writer/writer.ts'

export interface SendDeps extends UploadDeps, ChannelDeps {
  messageWriter: MessageWriter
  downloads: DownloadSigner
  screening: Screening
  messageSensor: MessageSensor
  log: Pick<Logger, 'warn'>
}

/** Returns a draft of a message by the caller in the channel. */
export function draftOf(
  { downloads }: SendDeps,
  { place, caller, member }: ChannelAccess,
  body: { contents: Contents; files: readonly FileRow[] },
  extras?: MessageExtras,
): Draft {
  return draftMessage(downloads, { place, author: { user: caller.user, member } }, body, extras)
}

/** Stores and publishes a message. The result has the same meaning as that of `MessageWriter.write`. */
export type Store = (draft: Draft) => Promise<Written | undefined>

/** @returns the message as JSON, or an earlier message with the same nonce */
export async function writeOrExplain(deps: SendDeps, draft: Draft, store?: Store): Promise<string> {
  const written = await write(deps, draft, store)
  return written?.json ?? explainUnwritten(deps, draft)
}

/**
 * Writes a message. A member who closed the conversation gets CONVERSATION_CREATE before the message.
 * @param store replaces the usual way to store the message
 */
export async function write(deps: SendDeps, draft: Draft, store?: Store): Promise<Written | undefined> {
  const { place, message } = draft
  const send = () => (store === undefined ? deps.messageWriter.write(draft) : store(draft))
  if (isConversation(place)) return whileOpen(deps, place.channelId, send)
  const written = await send()
  // The message is already stored: an error would only make the sender post it again.
  if (written !== undefined && place.parentId !== undefined)
    await followByMessage(deps, place, concerned(draft)).catch((error: unknown) =>
      deps.log.warn({ err: error }, 'the thread of a message was not followed'),
    )
  const { author, member } = message
  if (written !== undefined && member !== null && !author.is_bot) deps.messageSensor.note(member)
  return written
}

/** Returns the people whom the message makes followers of its thread. */
function concerned({ message: { id, author, webhook_id, mentions } }: Draft) {
  const isPerson = webhook_id === null && !author.is_bot
  const mentionedIds = mentions.filter(({ is_bot }) => !is_bot).map(({ id }) => id)
  return { authorId: isPerson ? author.id : null, mentionedIds, messageId: id }
}

/**
 * Finds out why a message was not written.
 * @returns the earlier message with the same nonce
 */
export async function explainUnwritten(deps: SendDeps, { place, message, fileIds }: Draft): Promise<string> {
  const { nonce, author, created_at: at } = message
  const first = await findFirst(deps, { place, authorId: author.id, nonce, at })
  if (first !== undefined) return first
  const isThere = await hasHead(deps.database, place)
  if (!isThere) throw new ApiError(isConversation(place) ? 'unknown_conversation' : 'unknown_room')
  const answered = message.referenced_message
  const lostAnswered = answered !== null && (await findRow(deps.database, place, answered.id)) === undefined
  if (lostAnswered) throw new ApiError('unknown_message')
  throw await explainUnclaimed(deps, { ...place, ownerId: message.author.id }, fileIds)
}

interface Sending {
  place: Draft['place']
  authorId: string
  nonce: string | null
  at?: string
}

/**
 * Returns the message that was sent with the nonce.
 * @throws ApiError 404 if it was deleted since
 */
export async function findFirst(
  deps: SendDeps,
  { place, authorId, nonce, at = new Date().toISOString() }: Sending,
): Promise<string | undefined> {
  if (nonce === null) return undefined
  const id = await findMessageIdByNonce(deps.database, place, { authorId, nonce, at })
  if (id === undefined) return undefined
  const message = await findMessage(deps, place, id)
  if (message === undefined) throw new ApiError('unknown_message')
  return encodeEvent('MESSAGE_CREATE', message)
}
