import { type Embed, EmbedType } from '@foyer/protocol/embeds'
import { MessageFlag, type Reaction, ReferenceType } from '@foyer/protocol/messages'
import { listMessageFiles } from '#src/files/objects/queries.ts'
import type { FileRow } from '#src/files/objects/rows.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { listReactions } from '#src/messages/reactions/queries.ts'
import type { MessageRow } from '#src/messages/rows.ts'
import type { ArchivedEmbed, ArchivedFile, ArchivedMessage, ArchivedThreadMessage } from '../format.ts'
import { NOBODY, type ShownNames, withNames } from './shown-names.ts'

interface Parts {
  names: ReadonlyMap<string, string>
  files: ReadonlyMap<string | null, FileRow[]>
  reactions: ReadonlyMap<string, Reaction[]>
}

/**
 * Turns a page of messages of a space into the lines of an archive. Messages of threads name their thread. Runs at most
 * three queries.
 */
export async function linesOf(
  database: Queryable,
  tenantId: string,
  rows: readonly MessageRow[],
  shownNames: ShownNames,
): Promise<(ArchivedMessage | ArchivedThreadMessage)[]> {
  const texts = rows.flatMap(({ content, snapshot }) => [content, snapshot?.content ?? ''])
  const authorIds = rows.flatMap(({ webhook_id, author_id }) => (webhook_id === null ? [author_id] : []))
  const names = await shownNames.of(authorIds, texts)
  const files = await filesOf(database, tenantId, rows)
  const reactions = await reactionsOf(database, tenantId, rows)
  return rows.map((row) => lineOf(row, { names, files, reactions }))
}

async function filesOf(database: Queryable, tenantId: string, rows: readonly MessageRow[]) {
  const ids = rows.filter(({ has_files }) => has_files).map(({ id }) => id)
  const files = ids.length === 0 ? [] : await listMessageFiles(database, tenantId, ids)
  const live = files.filter(({ state }) => state === 'live')
  return Map.groupBy(live, ({ message_id }) => message_id)
}

async function reactionsOf(database: Queryable, tenantId: string, rows: readonly MessageRow[]) {
  const reacted = rows.filter(({ has_reactions }) => has_reactions)
  const ids = reacted.map(({ id }) => id)
  const channelIds = reacted.map(({ channel_id }) => channel_id)
  const reactions = ids.length === 0 ? [] : await listReactions(database, { tenantId, channelIds, ids }, null)
  return Map.groupBy(reactions, ({ message_id }) => message_id)
}

function lineOf(
  row: MessageRow,
  { names, files, reactions }: Parts,
): ArchivedMessage | ArchivedThreadMessage {
  const { id, content, created_at, edited_at, pinned, flags, sticker_ids } = row
  const attachments = (files.get(id) ?? []).map(archivedFile)
  const reacted = (reactions.get(id) ?? []).map(({ emoji, count }) => ({ emoji, count }))
  const embeds = (row.embeds ?? []).filter(({ type }) => type === EmbedType.Rich).map(archivedEmbed)
  return {
    id,
    author: authorOf(row, names),
    content: withNames(content, names),
    created_at,
    ...(edited_at !== null && { edited_at }),
    ...(pinned && { pinned }),
    ...((flags & MessageFlag.SuppressEmbeds) !== 0 && { hides_previews: true }),
    ...referenceOf(row, names),
    ...(attachments.length > 0 && { attachments }),
    ...(sticker_ids !== null && sticker_ids.length > 0 && { sticker_ids }),
    ...(reacted.length > 0 && { reactions: reacted }),
    ...(embeds.length > 0 && { embeds }),
    ...(row.parent_id !== null && { in_thread: row.channel_id }),
  }
}

function authorOf(
  { webhook_id, author_id, author_name }: MessageRow,
  names: ReadonlyMap<string, string>,
): ArchivedMessage['author'] {
  if (webhook_id === null) return { id: author_id, name: names.get(author_id) ?? NOBODY }
  return { id: webhook_id, name: author_name || NOBODY }
}

function referenceOf(
  { reference_type, reference_message_id, thread_id, snapshot }: MessageRow,
  names: ReadonlyMap<string, string>,
): Pick<ArchivedMessage, 'reply_to' | 'thread_id' | 'forwarded'> {
  if (snapshot !== null) {
    const { content, created_at, edited_at } = snapshot
    return { forwarded: { content: withNames(content, names), created_at, edited_at } }
  }
  if (reference_type !== ReferenceType.Reply || reference_message_id === null) return {}
  return { reply_to: reference_message_id, ...(thread_id !== null && { thread_id }) }
}

function archivedFile({ id, filename, content_type, size_bytes, description }: FileRow): ArchivedFile {
  return { id, filename, content_type, size_bytes, description }
}

function archivedEmbed({
  url,
  title,
  description,
  color,
  timestamp,
  author,
  fields,
  footer,
}: Embed): ArchivedEmbed {
  return {
    ...(url !== null && { url }),
    ...(title !== null && { title }),
    ...(description !== null && { description }),
    ...(color !== null && { color }),
    ...(timestamp !== null && { timestamp }),
    ...(author !== null && { author: { name: author.name, url: author.url } }),
    ...(fields.length > 0 && { fields }),
    ...(footer !== null && { footer: { text: footer.text } }),
  }
}
