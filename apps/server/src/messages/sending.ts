import { MAX_MESSAGE_FILES } from '@foyer/protocol/limits'
import { type CreateMessageBody, type Message, MessageType } from '@foyer/protocol/messages'
import { RoomType } from '@foyer/protocol/rooms'
import type { SpaceSticker } from '@foyer/protocol/stickers'
import { discardFiles, keepOrDiscard, storeFile } from '#src/files/actions.ts'
import type { FileRow } from '#src/files/rows.ts'
import type { DownloadSigner } from '#src/files/signatures.ts'
import { finishUploads, type UploadDeps } from '#src/files/uploads.ts'
import { ApiError } from '#src/kernel/errors.ts'
import { encodeEvent } from '#src/kernel/events.ts'
import type { SpooledFile } from '#src/kernel/http/multipart.ts'
import { newId } from '#src/kernel/ids.ts'
import type { RoomAccess } from '#src/spaces/access.ts'
import { findMessageIdByNonce, hasHead, listStickers } from './queries.ts'
import { findMessage, messageAttachment, newMessage } from './reading.ts'
import type { Place } from './rows.ts'
import type { MessageWriter } from './writer.ts'

export interface SendDeps extends UploadDeps {
  messageWriter: MessageWriter
  downloads: DownloadSigner
}

/** What somebody asks to send. */
export interface Sent {
  body: CreateMessageBody
  /** Those that came with the request. They come before the uploads that the body names. */
  files: readonly SpooledFile[]
}

/** What a message is made of. */
interface Parts {
  content: string
  nonce: string | null
  files: readonly FileRow[]
  stickers: readonly SpaceSticker[]
}

type Draft = Omit<Message, 'seq'>

export function placeOf({ spaceId, room }: RoomAccess): Place {
  return { spaceId, roomId: room.id }
}

/**
 * Sends a message. A nonce that the author used in this room within 24 hours sends nothing and answers with the message
 * it became: a retry never doubles.
 * @param enter proves access: asked for again after the files are stored, which may take long
 * @returns the message as JSON
 */
export async function createMessage(
  deps: SendDeps,
  enter: () => Promise<RoomAccess>,
  sent: Sent,
): Promise<string> {
  const access = await enter()
  if (access.room.type === RoomType.Category) throw new ApiError('not_a_message_room')
  const { content, nonce, attachment_ids, sticker_ids } = sent.body
  const fileCount = sent.files.length + (attachment_ids?.length ?? 0)
  const stickerCount = sticker_ids?.length ?? 0
  if (fileCount > MAX_MESSAGE_FILES) throw new ApiError('too_many_files')
  const parts = { content: content ?? '', nonce: nonce ?? null, files: [], stickers: [] }
  if (fileCount + stickerCount > 0) return sendRich(deps, { access, enter }, sent, parts)
  if (parts.content === '') throw new ApiError('empty_message')
  const message = draftMessage(deps, access, parts)
  const written = await write(deps, message)
  return written ?? explainUnwritten(deps, access, message)
}

interface Entry {
  access: RoomAccess
  enter: () => Promise<RoomAccess>
}

/** With files or stickers. A retry of what was sent already does none of the work again. */
async function sendRich(deps: SendDeps, entry: Entry, sent: Sent, parts: Parts): Promise<string> {
  const findRepeated = (access: RoomAccess) =>
    findFirst(deps, access, { nonce: parts.nonce, at: new Date().toISOString() })
  const first = await findRepeated(entry.access)
  if (first !== undefined) return first
  try {
    return await sendOnce(deps, entry, sent, parts)
  } catch (error) {
    // The first of two that were sent at once may have the uploads by now, or the room that was left for the files.
    const repeated = await findRepeated(await entry.enter())
    if (repeated === undefined) throw error
    return repeated
  }
}

async function sendOnce(
  deps: SendDeps,
  { access, enter }: Entry,
  { body, files }: Sent,
  parts: Parts,
): Promise<string> {
  const stickers = await accessStickers(deps, access, body.sticker_ids ?? [])
  const uploads = await finishUploads(deps, senderOf(access), body.attachment_ids ?? [])
  const stored = await storeFiles(deps, access, files)
  const { written, message } = await keepOrDiscard(deps, stored, async () => {
    const draft = draftMessage(deps, await enter(), { ...parts, stickers, files: [...stored, ...uploads] })
    return { written: await write(deps, draft), message: draft }
  })
  if (written !== undefined) return written
  // The first of two that were sent at once has its own: these are not needed.
  const ids = stored.map(({ id }) => id)
  await deps.database.transaction((transaction) => discardFiles(transaction, access.spaceId, ids))
  return explainUnwritten(deps, access, message)
}

function senderOf({ spaceId, room, caller }: RoomAccess) {
  return { tenantId: spaceId, channelId: room.id, ownerId: caller.user.id }
}

/** @throws ApiError 404 for what is no sticker of the space */
async function accessStickers(
  { database }: SendDeps,
  { spaceId }: RoomAccess,
  ids: readonly string[],
): Promise<SpaceSticker[]> {
  if (ids.length === 0) return []
  const found = await listStickers(database, spaceId, ids)
  const byId = new Map(found.map((sticker) => [sticker.id, sticker]))
  const stickers = ids.flatMap((id) => byId.get(id) ?? [])
  if (stickers.length < ids.length) throw new ApiError('unknown_sticker')
  return stickers
}

/** All of them or none. */
async function storeFiles(
  deps: SendDeps,
  access: RoomAccess,
  files: readonly SpooledFile[],
): Promise<FileRow[]> {
  const target = { ...senderOf(access), purpose: 'message', where: 'bucket-or-own' } as const
  const attempts = await Promise.allSettled(files.map((file) => storeFile(deps, target, file)))
  const stored = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []))
  return keepOrDiscard(deps, stored, async () => {
    for (const attempt of attempts) if (attempt.status === 'rejected') throw attempt.reason
    return stored
  })
}

function draftMessage({ downloads }: SendDeps, access: RoomAccess, parts: Parts): Draft {
  const id = newId()
  const now = Date.now()
  return {
    ...newMessage(placeOf(access)),
    id,
    type: MessageType.Default,
    author: access.caller.user,
    member: access.member,
    content: parts.content,
    created_at: new Date(now).toISOString(),
    edited_at: null,
    pinned: false,
    flags: 0,
    attachments: parts.files.map((file) =>
      messageAttachment({ ...file, message_id: id, state: 'live' }, downloads, now),
    ),
    stickers: [...parts.stickers],
    nonce: parts.nonce,
  }
}

async function write({ messageWriter }: SendDeps, message: Draft): Promise<string | undefined> {
  const { space_id: tenantId, room_id: channelId } = message
  if (tenantId === null || channelId === null) throw new Error('a message without a place')
  const written = await messageWriter.write({ tenantId, channelId, message })
  return written?.json
}

/**
 * Why a message was not written.
 * @returns the message that its nonce had become before
 */
async function explainUnwritten(deps: SendDeps, access: RoomAccess, message: Draft): Promise<string> {
  const first = await findFirst(deps, access, { nonce: message.nonce, at: message.created_at })
  if (first !== undefined) return first
  const lostFile = message.attachments.length > 0 && (await hasHead(deps.database, placeOf(access)))
  throw new ApiError(lostFile ? 'unknown_attachment' : 'unknown_room')
}

/** @throws ApiError 404 when it was deleted since */
async function findFirst(
  deps: SendDeps,
  access: RoomAccess,
  { nonce, at }: { nonce: string | null; at: string },
): Promise<string | undefined> {
  if (nonce === null) return undefined
  const place = placeOf(access)
  const id = await findMessageIdByNonce(deps.database, place, { authorId: access.caller.user.id, nonce, at })
  if (id === undefined) return undefined
  const message = await findMessage(deps, place, id)
  if (message === undefined) throw new ApiError('unknown_message')
  return encodeEvent('MESSAGE_CREATE', message)
}
