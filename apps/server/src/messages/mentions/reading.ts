import { setImmediate as nextTurn } from 'node:timers/promises'
import { GREATEST_ID } from '@foyer/protocol/ids'
import { DEFAULT_MENTIONS_PAGE } from '@foyer/protocol/limits'
import type { Member } from '@foyer/protocol/members'
import type { ListMentionsQuery, MentionsPage } from '@foyer/protocol/mentions-page'
import type { Message } from '@foyer/protocol/messages'
import { listBlocks } from '#src/friends/block-queries.ts'
import { firstIdAt } from '#src/kernel/ids.ts'
import { type ChargeDeps, chargeUser } from '#src/kernel/rate-limits.ts'
import { findRows } from '#src/messages/queries.ts'
import { completeMessages, type MessageReader } from '#src/messages/reading.ts'
import { MAX_SEARCH_MS } from '#src/search/deadline.ts'
import type { SearchReader } from '#src/search/reader.ts'
import { listMemberships } from '#src/spaces/queries.ts'
import { type Snapshots, type SpaceSnapshot, viewExceptions, viewOf } from '#src/spaces/snapshots.ts'
import {
  type Joined,
  listJoined,
  listMentionsOf,
  type Mention,
  type Watched,
  type WatchedSpace,
} from './queries.ts'

export interface MentionDeps extends MessageReader, ChargeDeps {
  snapshots: Snapshots
  /** For somebody in very many rooms it is no short read. */
  searchReader: Pick<SearchReader, 'run'>
}

/**
 * So many are looked at for a page, those among them that do not count: who writes to everybody themselves, or blocks somebody
 * who goes on mentioning them, gets shorter pages and not slower ones.
 */
const MAX_LOOKED = 100
/** Rooms with overwrites, between two turns of the event loop: each takes about 2 µs. */
const ROOMS_PER_TURN = 1000

/**
 * What others said to the user wherever they are, newest first.
 * @throws ApiError 503 when it takes too long
 */
export async function listMentions(
  deps: MentionDeps,
  userId: string,
  { before = GREATEST_ID, limit = DEFAULT_MENTIONS_PAGE }: ListMentionsQuery,
): Promise<MentionsPage> {
  const found = await lookUp(deps, userId, before)
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

/** Finds the newest mentions, of those that do not count too. */
async function lookUp(deps: MentionDeps, userId: string, before: string): Promise<Mention[]> {
  const watched = await watch(await findPlaces(deps, userId))
  chargeUser(deps, 'mentionRooms', { userId, cost: countChannels(watched) })
  return deps.searchReader.run(performance.now() + MAX_SEARCH_MS, (database) =>
    listMentionsOf(database, userId, watched, { before, limit: MAX_LOOKED + 1 }),
  )
}

/** The user's spaces and conversations. */
interface Found {
  readonly spaces: readonly { readonly snapshot: SpaceSnapshot; readonly member: Member }[]
  readonly joined: readonly Joined[]
}

/** @param among the spaces to look at; all of the user's unless given */
async function findPlaces(
  { database, snapshots }: MentionDeps,
  userId: string,
  among: readonly string[] | null = null,
): Promise<Found> {
  const ids = (await listMemberships(database, userId, among)).map(({ space_id }) => space_id)
  const found = await findSnapshots(snapshots, ids)
  // Behind the spaces: who leaves meanwhile must not be seen without what hides rooms from them.
  const [memberships, joined] = await Promise.all([
    listMemberships(database, userId, ids),
    listJoined(database, userId),
  ])
  const spaces = memberships.flatMap((member) => {
    const snapshot = found.get(member.space_id)
    return snapshot === undefined ? [] : [{ snapshot, member }]
  })
  return { spaces, joined }
}

/** Mostly kept. Those that are not take several reads each, so they are read one after the other. */
async function findSnapshots(
  snapshots: Snapshots,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SpaceSnapshot>> {
  const found = new Map<string, SpaceSnapshot>()
  for (const id of ids) {
    const snapshot = await snapshots.find(id)
    if (snapshot !== undefined) found.set(id, snapshot)
  }
  return found
}

/** Lists the places to look at, with no work per room except for those with overwrites. */
async function watch({ spaces, joined }: Found): Promise<Watched> {
  const watched: WatchedSpace[] = []
  let sinceTurn = 0
  for (const { snapshot, member } of spaces) {
    watched.push(watchSpace(snapshot, member))
    sinceTurn += snapshot.overwrites.size
    if (sinceTurn > ROOMS_PER_TURN) {
      await nextTurn()
      sinceTurn = 0
    }
  }
  return {
    spaces: watched,
    conversations: joined.map(({ id, joined_at }) => ({ id, since: sinceOf(joined_at) })),
  }
}

function watchSpace(snapshot: SpaceSnapshot, member: Member): WatchedSpace {
  const { isUsual, exceptions } = viewExceptions(snapshot, member)
  return {
    id: snapshot.space.id,
    since: sinceOf(member.joined_at),
    showsRooms: isUsual,
    exceptions,
    roomCount: isUsual ? snapshot.rooms.size - exceptions.length : exceptions.length,
  }
}

function sinceOf(joinedAt: string): string {
  return firstIdAt(Date.parse(joinedAt))
}

function countChannels({ spaces, conversations }: Watched): number {
  return spaces.reduce((sum, { roomCount }) => sum + roomCount, conversations.length)
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
  const blocks = await listBlocks(database, userId, authorIds)
  const blocked = new Set(blocks.map(({ user }) => user.id))
  return others.filter(({ author_id }) => !blocked.has(author_id))
}

/** Those that are there, and in sight, by now: one space or conversation after the other. */
async function readMessages(
  deps: MentionDeps,
  userId: string,
  mentions: readonly Mention[],
): Promise<Message[]> {
  if (mentions.length === 0) return []
  const tenantIds = [...new Set(mentions.map(({ tenant_id }) => tenant_id))]
  const isVisible = viewOfAll(await findPlaces(deps, userId, tenantIds))
  const shown = mentions.filter(isVisible)
  const messages: Message[] = []
  for (const [tenantId, ofTenant] of Map.groupBy(shown, ({ tenant_id }) => tenant_id)) {
    const wanted = ofTenant.map(({ channel_id, message_id }) => ({ channelId: channel_id, id: message_id }))
    const rows = await findRows(deps.database, tenantId, wanted)
    messages.push(...(await completeMessages(deps, { tenantId }, rows, userId)))
  }
  return messages.toSorted((a, b) => (a.id < b.id ? 1 : -1))
}

/** Tells for each mention whether the user may view its channel. */
function viewOfAll({ spaces, joined }: Found): (mention: Mention) => boolean {
  const views = new Map(spaces.map(({ snapshot, member }) => [snapshot.space.id, viewOf(snapshot, member)]))
  const conversationIds = new Set(joined.map(({ id }) => id))
  return ({ tenant_id, channel_id }) => views.get(tenant_id)?.(channel_id) ?? conversationIds.has(channel_id)
}
