import { GREATEST_ID } from '@foyer/protocol/ids'
import { DEFAULT_MENTIONS_PAGE } from '@foyer/protocol/limits'
import type { ListMentionsQuery, MentionsPage } from '@foyer/protocol/mentions-page'
import type { Message } from '@foyer/protocol/messages'
import { firstIdAt } from '#src/kernel/ids.ts'
import { findRows } from '#src/messages/queries.ts'
import { completeMessages, type MessageReader } from '#src/messages/reading.ts'
import { type Snapshots, visibleRooms } from '#src/spaces/snapshots.ts'
import {
  type Entered,
  listBlockedIds,
  listEntered,
  listMentionsOf,
  type Mention,
  type Watched,
} from './queries.ts'

export interface MentionDeps extends MessageReader {
  snapshots: Snapshots
}

/**
 * So many are looked at for a page, those among them that do not count: who writes to everybody themselves, or blocks somebody
 * who goes on mentioning them, gets shorter pages and not slower ones.
 */
const MAX_LOOKED = 100

/** What others said to the user wherever they are, newest first. */
export async function listMentions(
  deps: MentionDeps,
  userId: string,
  { before = GREATEST_ID, limit = DEFAULT_MENTIONS_PAGE }: ListMentionsQuery,
): Promise<MentionsPage> {
  const places = await listPlaces(deps, userId)
  const found = await listMentionsOf(deps.database, userId, places, { before, limit: MAX_LOOKED + 1 })
  const looked = found.slice(0, MAX_LOOKED)
  const counted = await withoutIgnored(deps, userId, looked)
  const page = counted.slice(0, limit)
  const last = counted.length > page.length ? page.at(-1) : looked.at(-1)
  const has_more = counted.length > page.length || found.length > looked.length
  return {
    messages: await readMessages(deps, userId, page),
    has_more,
    cursor: has_more ? (last?.message_id ?? null) : null,
  }
}

/** Every room that the user may view now, and every conversation that they are in. */
async function listPlaces({ database, snapshots }: MentionDeps, userId: string): Promise<Watched[]> {
  const entered = await listEntered(database, userId)
  const places = await Promise.all(entered.map((one) => placesIn(snapshots, userId, one)))
  return places.flat()
}

async function placesIn(
  snapshots: Snapshots,
  userId: string,
  { tenant_id: tenantId, is_conversation, joined_at }: Entered,
): Promise<Watched[]> {
  const since = firstIdAt(Date.parse(joined_at))
  if (is_conversation) return [{ tenantId, channelId: tenantId, since }]
  const { snapshot, member } = await snapshots.findStanding(tenantId, userId)
  if (snapshot === undefined || member === undefined) return []
  return visibleRooms(snapshot, member).map(({ id }) => ({ tenantId, channelId: id, since }))
}

/** Without what the user said themselves, and without what those said whom they block. */
async function withoutIgnored(
  { database }: MentionDeps,
  userId: string,
  mentions: readonly Mention[],
): Promise<Mention[]> {
  const others = mentions.filter(({ author_id }) => author_id !== userId)
  if (others.length === 0) return []
  const authorIds = [...new Set(others.map(({ author_id }) => author_id))]
  const blocked = new Set(await listBlockedIds(database, userId, authorIds))
  return others.filter(({ author_id }) => !blocked.has(author_id))
}

/** Those that are there, and in sight, by now: the same few queries for each space and conversation among them. */
async function readMessages(
  deps: MentionDeps,
  userId: string,
  mentions: readonly Mention[],
): Promise<Message[]> {
  if (mentions.length === 0) return []
  const visible = new Set((await listPlaces(deps, userId)).map(({ channelId }) => channelId))
  const shown = mentions.filter(({ channel_id }) => visible.has(channel_id))
  const byTenant = Map.groupBy(shown, ({ tenant_id }) => tenant_id)
  const read = [...byTenant].map(async ([tenantId, ofTenant]) => {
    const wanted = ofTenant.map(({ channel_id, message_id }) => ({ channelId: channel_id, id: message_id }))
    return completeMessages(deps, { tenantId }, await findRows(deps.database, tenantId, wanted), userId)
  })
  const messages = (await Promise.all(read)).flat()
  return messages.toSorted((a, b) => (a.id < b.id ? 1 : -1))
}
