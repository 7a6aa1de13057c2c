import type { ComponentRow } from '@foyer/protocol/components'
import type { Embed } from '@foyer/protocol/embeds'
import { MAX_MESSAGE_FILES } from '@foyer/protocol/limits'
import { mayMention } from '@foyer/protocol/mentions'
import { type CreateMessageBody, type Message, MessageFlag, ReferenceType } from '@foyer/protocol/messages'
import type { SpaceSticker } from '@foyer/protocol/stickers'
import type { ChannelAccess, ChannelDeps } from '#src/channels/access.ts'
import type { Place } from '#src/channels/place.ts'
import { nameFilesOnly, namesOfFiles } from '#src/files/objects/descriptions.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { SpooledFile } from '#src/kernel/http/bodies/multipart.ts'
import { checkComponents, toEmbeds } from './embeds.ts'
import { type Forward, takeSnapshot } from './forwards.ts'
import { type Mentions, noMentions, resolveMentions } from './mentions.ts'
import { listSpacesOf, listStickers } from './queries.ts'
import { findMessage, type MessageReader } from './reading.ts'

/** A message as the client sent it. */
export interface SendRequest {
  body: CreateMessageBody
  /** Files uploaded with the request. They come before the uploads that the body names. */
  files: readonly SpooledFile[]
}

/** The content of a message, without its files. */
export interface Contents {
  content: string
  nonce: string | null
  flags: number
  stickers: readonly SpaceSticker[]
  mentions: Mentions
  embeds: readonly Embed[]
  components: readonly ComponentRow[]
  reply: Message | null
  forward: Forward | null
}

export const emptyContents: Contents = {
  content: '',
  nonce: null,
  flags: 0,
  stickers: [],
  mentions: noMentions,
  embeds: [],
  components: [],
  reply: null,
  forward: null,
}

/**
 * Returns true for a message without content. An embed that only showed an attached file counts as none, because the
 * file itself is shown.
 */
export function isEmpty({ content, forward, stickers, embeds, components }: Contents): boolean {
  return content === '' && forward === null && stickers.length + embeds.length + components.length === 0
}

const SETTABLE_FLAGS = MessageFlag.SuppressEmbeds | MessageFlag.SuppressNotifications

/** Returns true for plain text, the usual case: nothing has to be looked up. */
export function isPlain({ body, files }: SendRequest): boolean {
  const { attachment_ids, sticker_ids, reference, flags, embeds, components } = body
  const lists = [attachment_ids, sticker_ids, embeds, components]
  if (files.length > 0 || lists.some((list) => (list ?? []).length > 0)) return false
  return !reference && !flags && !mayMention(body.content ?? '')
}

/** @throws ApiError 400 for a combination of fields that is not allowed */
export function checkSendRequest({ body, files }: SendRequest, isBot: boolean): void {
  const { attachment_ids, sticker_ids, embeds, components, flags, reference } = body
  const fileCount = files.length + (attachment_ids ?? []).length
  if (fileCount > MAX_MESSAGE_FILES) throw new ApiError('too_many_files')
  if (!nameFilesOnly(body.attachments ?? [], namesOfFiles(files, attachment_ids ?? [])))
    throw new ApiError('invalid_request', 'attachments names a file that the message does not have')
  if ((flags ?? 0) & ~SETTABLE_FLAGS)
    throw new ApiError('invalid_request', 'flags has bits that cannot be set')
  const shown = [...(embeds ?? []), ...(components ?? [])].length
  if (shown > 0 && !isBot)
    throw new ApiError('invalid_request', 'embeds and components are only for bots and webhooks')
  const parts = fileCount + shown + (sticker_ids ?? []).length
  const isBlank = (body.content ?? '') === '' && parts === 0
  const isForward = reference?.type === ReferenceType.Forward
  if (isForward && !isBlank) throw new ApiError('forward_has_more')
  if (isBlank && !isForward) throw new ApiError('empty_message')
}

/** Loads the stickers, mentions and messages that the body refers to. */
export async function readContents(
  deps: ChannelDeps & MessageReader,
  access: ChannelAccess,
  body: CreateMessageBody,
): Promise<Contents> {
  const { reference } = body
  const isForward = reference?.type === ReferenceType.Forward
  const [stickers, reply, forward] = await Promise.all([
    accessStickers(deps, access, body.sticker_ids ?? []),
    reference && !isForward ? findReplied(deps, access.place, reference.message_id) : null,
    reference && isForward ? takeSnapshot(deps, access.caller, reference, access.place) : null,
  ])
  const content = body.content ?? ''
  return {
    content,
    nonce: body.nonce ?? null,
    flags: body.flags ?? 0,
    stickers,
    mentions: await mentionsOf(deps, access, body, reply),
    embeds: toEmbeds(body.embeds),
    components: checkComponents(body.components),
    reply,
    forward,
  }
}

function mentionsOf(
  deps: ChannelDeps & MessageReader,
  access: ChannelAccess,
  { content, allowed_mentions: allowed }: CreateMessageBody,
  reply: Message | null,
): Promise<Mentions> {
  return resolveMentions(deps, access, { content: content ?? '', allowed, repliedId: reply?.author.id })
}

async function findReplied(reader: MessageReader, place: Place, messageId: string): Promise<Message> {
  const message = await findMessage(reader, place, messageId)
  if (message === undefined) throw new ApiError('unknown_message')
  return message
}

/**
 * Loads stickers. A room allows those of its space, a conversation those of all spaces that the sender is in.
 * @throws ApiError 404 for any other sticker
 */
async function accessStickers(
  { database }: MessageReader,
  { place, room, caller }: ChannelAccess,
  ids: readonly string[],
): Promise<SpaceSticker[]> {
  if (ids.length === 0) return []
  const found = await listStickers(database, ids)
  const spaceIds = found.map((sticker) => sticker.space_id)
  const own = room === null ? await listSpacesOf(database, caller.user.id, spaceIds) : [place.tenantId]
  const byId = new Map(found.map((sticker) => [sticker.id, sticker]))
  const stickers = ids.flatMap((id) => byId.get(id) ?? []).filter((sticker) => own.includes(sticker.space_id))
  if (stickers.length < ids.length) throw new ApiError('unknown_sticker')
  return stickers
}
