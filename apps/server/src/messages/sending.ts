import { Capability } from '@foyer/protocol/capabilities'
import { has } from '@foyer/protocol/permissions'
import { RoomType } from '@foyer/protocol/rooms'
import type { ChannelAccess, ChannelDeps } from '#src/channels/access.ts'
import { isConversation } from '#src/channels/place.ts'
import { whileOpen } from '#src/conversations/reopening.ts'
import { discardUnshown, keepOrDiscard, storeFiles } from '#src/files/actions.ts'
import { copyFiles } from '#src/files/copies.ts'
import { describeFiles, namesOfFiles } from '#src/files/descriptions.ts'
import type { FileRow } from '#src/files/rows.ts'
import type { DownloadSigner } from '#src/files/signatures.ts'
import { explainUnclaimed, finishUploads, type UploadDeps } from '#src/files/uploads.ts'
import { encodeEvent } from '#src/kernel/database/events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { SpooledFile } from '#src/kernel/http/bodies/multipart.ts'
import { checkParts } from './content-rights.ts'
import {
  type Contents,
  checkSendRequest,
  emptyContents,
  isEmpty,
  isPlain,
  readContents,
  type SendRequest,
} from './contents.ts'
import { type Draft, draftMessage, type MessageExtras } from './draft.ts'
import { findMessageIdByNonce, findRow, hasHead } from './queries.ts'
import { findMessage } from './reading.ts'
import { checkTurn, inTurn, isSlowed } from './slow-mode.ts'
import type { MessageWriter, Written } from './writer/writer.ts'

export interface SendDeps extends UploadDeps, ChannelDeps {
  messageWriter: MessageWriter
  downloads: DownloadSigner
}

export interface Entry {
  /** Access as of the arrival of the whole request. */
  access: ChannelAccess
  /** Checks access again. Called after files are stored, which may take minutes. */
  enter: () => Promise<ChannelAccess>
}

/**
 * Sends a message. A nonce that the author used in this channel within 24 hours sends nothing and returns the first
 * message, so a retry never doubles.
 * @returns the message as JSON
 */
export async function createMessage(deps: SendDeps, entry: Entry, sent: SendRequest): Promise<string> {
  const { access } = entry
  if (access.room?.room.type === RoomType.Category) throw new ApiError('not_a_message_room')
  checkSendRequest(sent, access.caller.user.is_bot)
  if (!isPlain(sent) || isSlowed(access)) return sendRich(deps, entry, sent)
  const { content, nonce } = sent.body
  const contents = { ...emptyContents, content: content ?? '', nonce: nonce ?? null }
  return writeOrExplain(deps, draftOf(deps, access, { contents, files: [] }))
}

/** Sends more than plain text, or into a room with slow mode. A retry of a message already sent returns it before any work is done. */
async function sendRich(deps: SendDeps, entry: Entry, sent: SendRequest): Promise<string> {
  const nonce = sent.body.nonce ?? null
  const findRepeated = ({ place, caller }: ChannelAccess) =>
    findFirst(deps, { place, authorId: caller.user.id, nonce, at: new Date().toISOString() })
  const first = await findRepeated(entry.access)
  if (first !== undefined) return first
  try {
    return await sendOnce(deps, entry, sent)
  } catch (error) {
    // A simultaneous send may have taken the uploads or the last space for files.
    const repeated = await findRepeated(await entry.enter())
    if (repeated === undefined) throw error
    return repeated
  }
}

async function sendOnce(
  deps: SendDeps,
  { access, enter }: Entry,
  { body, files }: SendRequest,
): Promise<string> {
  const contents = await readContents(deps, access, body)
  const uploadIds = body.attachment_ids ?? []
  const isBare = files.length + uploadIds.length === 0
  if (isBare && isEmpty(contents)) throw new ApiError('empty_message')
  const parts = {
    files: [...files, ...uploadIds, ...(contents.forward?.files ?? [])],
    embeds: contents.embeds,
  }
  checkParts(access, parts)
  await checkTurn(deps, access)
  const uploads = await finishUploads(deps, senderOf(access), uploadIds)
  const stored = await storeAll(deps, access, files, contents)
  const { written, draft } = await keepOrDiscard(deps, stored, async () => {
    const now = await enter()
    checkParts(now, parts)
    const all = describeFiles([...stored, ...uploads], namesOfFiles(files, uploadIds), body.attachments ?? [])
    const extras = all.length === 0 ? {} : await currentReply(deps, now, contents)
    const draft = draftOf(deps, now, { contents: shownIn(now, contents), files: all }, extras)
    return { written: await inTurn(deps, now, () => write(deps, draft)), draft }
  })
  if (written !== undefined) return written.json
  // A simultaneous send with the same nonce won and has its own files.
  await discardUnshown(deps.database, stored)
  return explainUnwritten(deps, { ...draft, fileIds: uploads.map(({ id }) => id) })
}

/** A forward shows the previews of its origin only to those who could make them here. */
function shownIn({ capabilities }: ChannelAccess, contents: Contents): Contents {
  const { forward } = contents
  if (forward === null || has(capabilities, Capability.EmbedLinks)) return contents
  return { ...contents, forward: { ...forward, snapshot: { ...forward.snapshot, embeds: [] } } }
}

function draftOf(
  { downloads }: SendDeps,
  { place, caller, member }: ChannelAccess,
  body: { contents: Contents; files: readonly FileRow[] },
  extras?: MessageExtras,
): Draft {
  return draftMessage(downloads, { place, author: { user: caller.user, member } }, body, extras)
}

/** Loads the replied message again: it may have changed or gone while files were stored. */
async function currentReply(
  deps: SendDeps,
  { place }: ChannelAccess,
  { reply }: Contents,
): Promise<MessageExtras> {
  if (reply === null) return {}
  return { referenced_message: (await findMessage(deps, place, reply.id)) ?? null }
}

function senderOf({ place, caller }: ChannelAccess) {
  return { ...place, ownerId: caller.user.id }
}

/** Stores the request's files, or copies those of a forward: all or none. */
async function storeAll(
  deps: SendDeps,
  access: ChannelAccess,
  files: readonly SpooledFile[],
  { forward }: Contents,
): Promise<FileRow[]> {
  const where = isConversation(access.place) ? 'own' : 'bucket-or-own'
  const target = { ...senderOf(access), purpose: 'message', where } as const
  if (forward !== null) return copyFiles(deps, target, forward.files)
  return storeFiles(deps, target, files)
}

/** @returns the message as JSON, or the one that its nonce had become before */
export async function writeOrExplain(deps: SendDeps, draft: Draft): Promise<string> {
  const written = await write(deps, draft)
  return written?.json ?? explainUnwritten(deps, draft)
}

/** A member who closed the conversation gets CONVERSATION_CREATE before the message. */
function write(deps: SendDeps, draft: Draft): Promise<Written | undefined> {
  const send = () => deps.messageWriter.write(draft)
  return isConversation(draft.place) ? whileOpen(deps, draft.place.channelId, send) : send()
}

/**
 * Finds out why a message was not written.
 * @returns the message that its nonce had become before
 */
async function explainUnwritten(deps: SendDeps, { place, message, fileIds }: Draft): Promise<string> {
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
  at: string
}

/**
 * Returns the message that the nonce became.
 * @throws ApiError 404 if it was deleted since
 */
async function findFirst(
  deps: SendDeps,
  { place, authorId, nonce, at }: Sending,
): Promise<string | undefined> {
  if (nonce === null) return undefined
  const id = await findMessageIdByNonce(deps.database, place, { authorId, nonce, at })
  if (id === undefined) return undefined
  const message = await findMessage(deps, place, id)
  if (message === undefined) throw new ApiError('unknown_message')
  return encodeEvent('MESSAGE_CREATE', message)
}
