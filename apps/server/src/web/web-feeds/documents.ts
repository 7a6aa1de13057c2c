import {
  type AnnouncementFeed,
  FEED_PAGE_BYTES,
  type FeedFile,
  type FeedMessage,
  MAX_FEED_MESSAGES,
  type ShownFeedMessage,
} from '@foyer/protocol/announcement-feed'
import { limits } from '@foyer/protocol/limits'
import { startLog } from '#src/integrations/follows/log.ts'
import { copiedParts, findOriginals, type Original } from '#src/integrations/follows/originals.ts'
import type { Source } from '#src/integrations/follows/queries.ts'
import type { Database } from '#src/kernel/database/database.ts'
import { namesFor } from '#src/web/web-pages/making/names.ts'
import { filePath, HUB_PATH, messagePath, roomPath } from '#src/web/web-pages/making/paths.ts'
import { listReadableIds } from '#src/web/web-pages/making/queries.ts'
import type { ReadableRoom } from '#src/web/web-pages/making/readable-room.ts'
import type { Names } from '#src/web/web-pages/making/text.ts'
import { wordsFor } from '#src/web/web-pages/making/words.ts'
import type { ReadableDeps } from '#src/web/web-pages/readable.ts'
import { feedUrl } from './addresses.ts'
import { plainEmbed, textsOf, withoutIds } from './plain-names.ts'
import { findLogHead, listLogged } from './queries.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'

export type FeedDeps = ReadableDeps & {
  database: Database
  /** Public origin of this server. */
  origin: string
}

/**
 * Makes the feed of an announcement room for other servers. The room's log begins with its first feed, so that a new
 * follower misses nothing between reading the feed and subscribing to it.
 * @param after undefined for a feed without messages
 * @returns undefined for a room that no longer announces
 */
export async function makeDocument(
  deps: FeedDeps,
  readable: ReadableRoom,
  after?: number,
): Promise<AnnouncementFeed | undefined> {
  const { database, origin } = deps
  const { space } = readable
  const source = { spaceId: space.id, roomId: readable.room.id }
  const { last_seq, head } = await logHead(database, source)
  if (head === null) return undefined
  const document: AnnouncementFeed = {
    version: 1,
    server: origin,
    url: feedUrl(origin, source, 'announcements.json'),
    hub: `${origin}${HUB_PATH}`,
    space: {
      id: space.id,
      name: space.name,
      icon: space.icon === null ? null : `${origin}/attachments/${space.icon}`,
    },
    room: { id: readable.room.id, name: readable.room.name },
    last_seq,
    head,
  }
  return after === undefined ? document : { ...document, messages: await listMessages(deps, readable, after) }
}

async function logHead(database: Database, source: Source) {
  const known = await findLogHead(database, source)
  if (known.head !== null || !(await startLog(database, source))) return known
  return findLogHead(database, source)
}

/** Lists messages that changed after a number of the log, in their current state. */
async function listMessages(deps: FeedDeps, readable: ReadableRoom, after: number): Promise<FeedMessage[]> {
  const { database } = deps
  const { space, room, from } = readable
  const source = { spaceId: space.id, roomId: room.id }
  const logged = await listLogged(database, source, { after, limit: MAX_FEED_MESSAGES })
  const ids = logged.map(({ message_id }) => message_id)
  const found = await findOriginals(database, source, ids)
  // Checked after reading the messages, so that a message that has become unreadable in between is left out.
  const readableIds = await listReadableIds(database, { ...source, channelId: room.id, from }, ids)
  const shown = new Map(
    Array.from(found).flatMap(([id, original]) =>
      isShown(original) && readableIds.has(id) ? [[id, original] as const] : [],
    ),
  )
  const names = await namesOf(deps, readable, [...shown.values()])
  const messages = logged.map(({ message_id: id, number }): FeedMessage => {
    const original = shown.get(id)
    if (original === undefined) return { number, id, state: 'gone', seq: null }
    return { number, ...shownMessage(deps, readable, original, names) }
  })
  return fitting(messages)
}

/** Leaves out forwards, as the room's pages do. */
function isShown(found: Original | 'deleted' | 'unfit'): found is Original {
  return typeof found !== 'string' && found.row.snapshot === null
}

async function namesOf(
  { database }: FeedDeps,
  readable: ReadableRoom,
  originals: readonly Original[],
): Promise<Names> {
  const texts = originals.flatMap(({ row }) => [row.content, ...(row.embeds ?? []).flatMap(textsOf)])
  const { names } = await namesFor(
    database,
    readable,
    texts.map((content) => ({ content })),
  )
  return names
}

function shownMessage(
  { origin }: FeedDeps,
  { space, room }: ReadableRoom,
  { source, row, files }: Original,
  names: Names,
): Omit<ShownFeedMessage, 'number'> {
  const { content, flags, embeds, components } = copiedParts(row, [])
  const text = withoutIds(content, names, limits.messageMax)
  const stickers = row.sticker_ids ?? []
  const lines = stickers.length === 0 ? [text] : [text, wordsFor(space.locale).sticker]
  const withSticker = lines.filter((line) => line !== '').join('\n')
  return {
    id: row.id,
    state: 'there',
    seq: row.seq,
    content: Array.from(withSticker).length <= limits.messageMax ? withSticker : text,
    flags,
    embeds: embeds.map((embed) => plainEmbed(embed, names)),
    components: [...components],
    files: files.flatMap((file) => (file.state === 'live' ? [feedFile(origin, source, file)] : [])),
    sent_at: row.created_at,
    edited_at: row.edited_at,
    url: messagePath(`${origin}${roomPath(source.spaceId, room)}`, row.id),
  }
}

function feedFile(origin: string, { spaceId, roomId }: Source, file: Original['files'][number]): FeedFile {
  const { id, message_id, filename, size_bytes: size, content_type, description } = file
  const path = filePath(roomId, message_id ?? '', { spaceId, roomId, fileId: id })
  return { id, filename, size, content_type, description, url: `${origin}${path}` }
}

/** Returns the first messages that fit into a page, at least one. */
function fitting(messages: readonly FeedMessage[]): FeedMessage[] {
  let bytes = 0
  const end = messages.findIndex((message) => {
    bytes += Buffer.byteLength(JSON.stringify(message))
    return bytes > FEED_PAGE_BYTES
  })
  return end === -1 ? [...messages] : messages.slice(0, Math.max(end, 1))
}
