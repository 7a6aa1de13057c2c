import type { Attachment } from '@foyer/protocol/attachments'
import type { Message } from '@foyer/protocol/messages'
import type { SpaceSticker } from '@foyer/protocol/stickers'
import { listMessageFiles } from '#src/files/queries.ts'
import { attachmentOf, type FileRow } from '#src/files/rows.ts'
import type { DownloadSigner } from '#src/files/signatures.ts'
import type { Queryable } from '#src/kernel/sql.ts'
import { findMembers } from '#src/spaces/queries.ts'
import { findUsers } from '#src/users/queries.ts'
import { findRow, listStickers } from './queries.ts'
import type { MessageRow, Place } from './rows.ts'

/** What reading messages takes. */
export interface MessageReader {
  database: Queryable
  downloads: DownloadSigner
}

export async function findMessage(
  reader: MessageReader,
  place: Place,
  messageId: string,
): Promise<Message | undefined> {
  const row = await findRow(reader.database, place, messageId)
  if (row === undefined) return undefined
  const [message] = await completeMessages(reader, place, [row])
  return message
}

/**
 * The messages of rows, in their order: with their authors, these as members, files and stickers. A query for each of the
 * four, however many rows there are, and none for files and stickers where no row has any.
 */
export async function completeMessages(
  { database, downloads }: MessageReader,
  place: Place,
  rows: readonly MessageRow[],
): Promise<Message[]> {
  if (rows.length === 0) return []
  const authorIds = [...new Set(rows.map((row) => row.author_id))]
  const [users, members, files, stickers] = await Promise.all([
    findUsers(database, authorIds),
    findMembers(database, place.spaceId, authorIds),
    findFiles(database, place, rows),
    findStickers(database, place, rows),
  ])
  const userById = new Map(users.map((user) => [user.id, user]))
  const memberById = new Map(members.map((member) => [member.user_id, member]))
  const now = Date.now()
  return rows.flatMap(({ author_id, sticker_ids, has_files, ...row }) => {
    const author = userById.get(author_id)
    if (author === undefined) return []
    return [
      {
        ...newMessage(place),
        ...row,
        author,
        member: memberById.get(author_id) ?? null,
        attachments: (files.get(row.id) ?? []).map((file) => messageAttachment(file, downloads, now)),
        stickers: (sticker_ids ?? []).flatMap((id) => stickers.get(id) ?? []),
      },
    ]
  })
}

/** As its message shows it. One that was deleted by itself has no address any more. */
export function messageAttachment(file: FileRow, downloads: DownloadSigner, now: number): Attachment {
  const attachment = attachmentOf(file)
  return file.state === 'live' ? { ...attachment, url: downloads.urlOf(file.id, now) } : attachment
}

/** By message. */
async function findFiles(
  database: Queryable,
  { spaceId }: Place,
  rows: readonly MessageRow[],
): Promise<Map<string | null, FileRow[]>> {
  const ids = rows.filter((row) => row.has_files).map((row) => row.id)
  const files = ids.length === 0 ? [] : await listMessageFiles(database, spaceId, ids)
  return Map.groupBy(files, (file) => file.message_id)
}

/** By id. Those that were deleted since are no part of a message any more. */
async function findStickers(
  database: Queryable,
  { spaceId }: Place,
  rows: readonly MessageRow[],
): Promise<Map<string, SpaceSticker>> {
  const ids = [...new Set(rows.flatMap((row) => row.sticker_ids ?? []))]
  const stickers = ids.length === 0 ? [] : await listStickers(database, spaceId, ids)
  return new Map(stickers.map((sticker) => [sticker.id, sticker]))
}

type Shown = 'author' | 'member' | 'attachments' | 'stickers'
type Blank = Omit<Message, keyof MessageRow | Shown>

/** What every message of a room has in common. */
export function newMessage(place: Place): Blank {
  return {
    room_id: place.roomId,
    conversation_id: null,
    space_id: place.spaceId,
    mentions: [],
    mention_roles: [],
    mention_everyone: false,
    embeds: [],
    reactions: [],
    reference: null,
    referenced_message: null,
    snapshot: null,
    webhook_id: null,
    application_id: null,
    interaction: null,
  }
}
