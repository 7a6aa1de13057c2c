import type { Attachment } from '@foyer/protocol/attachments'
import type { Member } from '@foyer/protocol/members'
import type {
  Message,
  MessageSnapshot,
  Reaction,
  ReferencedMessage,
  ThreadReplies,
} from '@foyer/protocol/messages'
import { ReferenceType } from '@foyer/protocol/messages'
import type { SpaceSticker } from '@foyer/protocol/stickers'
import type { User } from '@foyer/protocol/users'
import { channelOf, type Place, placeOfRow } from '#src/channels/place.ts'
import { listMessageFiles } from '#src/files/objects/queries.ts'
import { attachmentOf, type FileRow } from '#src/files/objects/rows.ts'
import type { DownloadSigner } from '#src/files/objects/signatures.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { listReactions } from '#src/messages/reactions/queries.ts'
import { listThreads, type ThreadRow } from '#src/messages/threads/queries.ts'
import { findUsers } from '#src/people/users/queries.ts'
import { findMembers } from '#src/spaces/queries.ts'
import { webhookOf } from './authors.ts'
import { findRow, findRows, listStickers } from './queries.ts'
import { shownReference, storedReference } from './references.ts'
import type { MessageRow, StoredSnapshot } from './rows.ts'
import { shownEmbeds } from './shown-embeds.ts'

/** Dependencies for reading messages. */
export interface MessageReader {
  database: Queryable
  downloads: DownloadSigner
}

/** The user whose own reactions are marked; null in events, which go to everyone. */
type Reader = string | null

export async function findMessage(
  reader: MessageReader,
  place: Place,
  messageId: string,
  callerId: Reader = null,
): Promise<Message | undefined> {
  const row = await findRow(reader.database, place, messageId)
  if (row === undefined) return undefined
  const [message] = await completeMessages(reader, place, [row], callerId)
  return message
}

/**
 * Turns rows into messages, in their order, with replied messages, authors, members, mentioned users, files, stickers
 * and reactions. Runs one query per kind, however many rows there are, and none for a kind that no row has. Rows may be
 * of several channels of one tenant.
 */
export async function completeMessages(
  { database, downloads }: MessageReader,
  { tenantId }: Pick<Place, 'tenantId'>,
  rows: readonly MessageRow[],
  callerId: Reader = null,
): Promise<Message[]> {
  if (rows.length === 0) return []
  const [answered, threads] = await Promise.all([
    findAnswered(database, tenantId, rows),
    findThreads(database, tenantId, rows),
  ])
  const parts = await findParts(database, tenantId, { rows: [...rows, ...answered], threads }, callerId)
  const assemble = assembler(tenantId, parts, downloads)
  const answeredById = new Map(answered.map((row) => [row.id, row]))
  return rows.flatMap((row) => {
    const message = assemble(row)
    if (message === undefined) return []
    const isReply = row.reference_type === ReferenceType.Reply
    const original = isReply ? answeredById.get(row.reference_message_id ?? '') : undefined
    const referenced_message = (original && assemble(original)) ?? null
    return [{ ...message, referenced_message, replies: repliesOf(threads.get(row.id), parts.users) }]
  })
}

/** Returns the replied messages that still exist: in the reply's channel, or in the room that a reply was moved from. */
async function findAnswered(
  database: Queryable,
  tenantId: string,
  rows: readonly MessageRow[],
): Promise<MessageRow[]> {
  const replies = rows.filter((row) => row.reference_type === ReferenceType.Reply)
  const wanted = replies.flatMap(({ channel_id, parent_id, reference_message_id: id }) =>
    [channel_id, parent_id ?? []].flat().map((channelId) => ({ channelId, id: id ?? '' })),
  )
  return wanted.length === 0 ? [] : findRows(database, tenantId, wanted)
}

/** Returns thread summaries by their first message. Replies never begin a thread. */
async function findThreads(
  database: Queryable,
  tenantId: string,
  rows: readonly MessageRow[],
): Promise<Map<string, ThreadRow>> {
  const first = rows.filter((row) => row.thread_id === null)
  const threads = first.length === 0 ? [] : await listThreads(database, tenantId, first)
  return new Map(threads.map((thread) => [thread.thread_id, thread]))
}

function repliesOf(thread: ThreadRow | undefined, users: Parts['users']): ThreadReplies | null {
  if (thread === undefined) return null
  return { ...thread, users: latestAuthors(thread).flatMap((id) => users.get(id) ?? []) }
}

function latestAuthors({ author_ids }: ThreadRow): string[] {
  return [...new Set(author_ids)].slice(0, 3)
}

interface Parts {
  users: ReadonlyMap<string, User>
  members: ReadonlyMap<string, Member>
  files: ReadonlyMap<string | null, FileRow[]>
  stickers: ReadonlyMap<string, SpaceSticker>
  reactions: ReadonlyMap<string, Reaction[]>
}

async function findParts(
  database: Queryable,
  tenantId: string,
  { rows, threads }: { rows: readonly MessageRow[]; threads: ReadonlyMap<string, ThreadRow> },
  callerId: Reader,
): Promise<Parts> {
  const authorIds = [...new Set(rows.map((row) => row.author_id))]
  const named = rows.flatMap((row) => [...(row.mention_ids ?? []), row.interaction?.user_id ?? []].flat())
  const repliers = [...threads.values()].flatMap(latestAuthors)
  const [users, members, files, stickers, reactions] = await Promise.all([
    findUsers(database, [...new Set([...authorIds, ...named, ...repliers])]),
    // Conversations have no members in the sense of a space.
    rows.every((row) => row.channel_id === tenantId) ? [] : findMembers(database, tenantId, authorIds),
    findFiles(database, tenantId, rows),
    findStickers(database, rows),
    findReactions(database, tenantId, rows, callerId),
  ])
  return {
    users: new Map(users.map((user) => [user.id, user])),
    members: new Map(members.map((member) => [member.user_id, member])),
    files,
    stickers,
    reactions,
  }
}

/** Returns files by message id. */
async function findFiles(
  database: Queryable,
  tenantId: string,
  rows: readonly MessageRow[],
): Promise<Map<string | null, FileRow[]>> {
  const ids = rows.filter((row) => row.has_files).map((row) => row.id)
  const files = ids.length === 0 ? [] : await listMessageFiles(database, tenantId, ids)
  return Map.groupBy(files, (file) => file.message_id)
}

/** Returns stickers by id. Deleted stickers vanish from messages. */
async function findStickers(
  database: Queryable,
  rows: readonly MessageRow[],
): Promise<Map<string, SpaceSticker>> {
  const ids = [...new Set(rows.flatMap((row) => row.sticker_ids ?? []))]
  const stickers = ids.length === 0 ? [] : await listStickers(database, ids)
  return new Map(stickers.map((sticker) => [sticker.id, sticker]))
}

/** Returns reactions by message id. */
async function findReactions(
  database: Queryable,
  tenantId: string,
  rows: readonly MessageRow[],
  callerId: Reader,
): Promise<Map<string, Reaction[]>> {
  const reacted = rows.filter((row) => row.has_reactions)
  const messages = { channelIds: reacted.map((row) => row.channel_id), ids: reacted.map((row) => row.id) }
  const reactions =
    reacted.length === 0 ? [] : await listReactions(database, { tenantId, ...messages }, callerId)
  const byMessage = Map.groupBy(reactions, ({ message_id }) => message_id)
  return byMessage
}

/** Builds messages from rows; undefined if the author no longer exists. */
function assembler(tenantId: string, parts: Parts, downloads: DownloadSigner) {
  const now = Date.now()
  return (row: MessageRow): ReferencedMessage | undefined => {
    const reference = storedReference(row)
    const author = webhookOf(row) ?? parts.users.get(row.author_id)
    if (author === undefined) return undefined
    const { copy_of, ...rest } = row
    const { sticker_ids, mention_ids, interaction, snapshot } = row
    const files = (parts.files.get(row.id) ?? []).map((file) => messageAttachment(file, downloads, now))
    const asker = interaction === null ? undefined : parts.users.get(interaction.user_id)
    return {
      ...rest,
      ...(copy_of !== null && { copy_of }),
      ...channelOf(placeOfRow(tenantId, row)),
      author,
      member: parts.members.get(row.author_id) ?? null,
      mentions: (mention_ids ?? []).flatMap((id) => parts.users.get(id) ?? []),
      mention_roles: row.mention_role_ids ?? [],
      attachments: snapshot === null ? files : [],
      embeds: shownEmbeds(row.embeds ?? [], downloads, now),
      components: row.components ?? [],
      stickers: (sticker_ids ?? []).flatMap((id) => parts.stickers.get(id) ?? []),
      reactions: parts.reactions.get(row.id) ?? [],
      reference: reference && shownReference(reference, row.channel_id),
      snapshot: snapshot && snapshotOf(resigned(snapshot, downloads, now), files),
      interaction: interaction && asker ? { ...interaction, user: asker } : null,
    }
  }
}

function resigned(snapshot: StoredSnapshot, downloads: DownloadSigner, now: number): StoredSnapshot {
  return { ...snapshot, embeds: shownEmbeds(snapshot.embeds, downloads, now) }
}

export function snapshotOf(
  snapshot: Omit<MessageSnapshot, 'attachments'>,
  attachments: Attachment[],
): MessageSnapshot {
  return { ...snapshot, attachments }
}

/** Returns a file as an attachment. A file that was deleted while its message stays has no address. */
export function messageAttachment(file: FileRow, downloads: DownloadSigner, now: number): Attachment {
  const attachment = attachmentOf(file)
  return file.state === 'live' ? { ...attachment, url: downloads.urlOf(file.id, now) } : attachment
}
