import { setImmediate as nextTurn } from 'node:timers/promises'
import { GREATEST_ID } from '@foyer/protocol/ids'
import { DEFAULT_MENTIONS_PAGE } from '@foyer/protocol/limits'
import type { Member } from '@foyer/protocol/members'
import type { ListMentionsQuery, MentionsPage } from '@foyer/protocol/mentions-page'
import type { Message } from '@foyer/protocol/messages'
import { firstIdAt } from '#src/kernel/ids.ts'
import { type ChargeDeps, chargeBudget } from '#src/kernel/limits/rate-limits.ts'
import { findRows } from '#src/messages/queries.ts'
import { completeMessages, type MessageReader } from '#src/messages/reading.ts'
import { listBlocks } from '#src/people/friends/block-queries.ts'
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
  /** Runs long reads: a user may have very many rooms. */
  searchReader: Pick<SearchReader, 'run'>
}

/**
 * Mentions examined per page. Mentions in the user's own messages and those of blocked users are skipped, so a page
 * may be short but is never slow.
 */
const MAX_LOOKED = 100
/** Rooms with overwrites to check per turn of the event loop. Each check takes about 2 µs. */
const ROOMS_PER_TURN = 1000

/**
 * Lists messages from others that mention the user, in all their channels, newest first.
 * @throws ApiError 503 if it takes too long
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

/** Finds the newest mentions, including those that will be skipped. */
async function lookUp(deps: MentionDeps, userId: string, before: string): Promise<Mention[]> {
  const watched = await watch(await findMemberships(deps, userId))
  chargeBudget(deps, 'mentionRooms', { budget: userId, cost: countChannels(watched) })
  return deps.searchReader.run(performance.now() + MAX_SEARCH_MS, (database) =>
    listMentionsOf(database, userId, watched, { before, limit: MAX_LOOKED + 1 }),
  )
}

/** The user's spaces and conversations. */
interface Found {
  readonly spaces: readonly { readonly snapshot: SpaceSnapshot; readonly member: Member }[]
  readonly joined: readonly Joined[]
}

/** @param among spaces to search; all of the user's by default */
async function findMemberships(
  { database, snapshots }: MentionDeps,
  userId: string,
  among: readonly string[] | null = null,
): Promise<Found> {
  const ids = (await listMemberships(database, userId, among)).map(({ space_id }) => space_id)
  const found = await findSnapshots(snapshots, ids)
  // Read after the snapshots: a later snapshot lacks the overwrites of a user who left, and would show the user hidden rooms.
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

/** Finds the spaces' snapshots. Most are cached. Others take several queries each, so they are loaded one after another. */
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

/** Lists the channels to search. Only rooms with overwrites are checked one by one. */
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

/** Removes the user's own messages and those of blocked users. */
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

/** Returns messages that exist and are visible now, one space or conversation after another. */
async function readMessages(
  deps: MentionDeps,
  userId: string,
  mentions: readonly Mention[],
): Promise<Message[]> {
  if (mentions.length === 0) return []
  const tenantIds = [...new Set(mentions.map(({ tenant_id }) => tenant_id))]
  const isVisible = viewOfAll(await findMemberships(deps, userId, tenantIds))
  const shown = mentions.filter(isVisible)
  const messages: Message[] = []
  for (const [tenantId, ofTenant] of Map.groupBy(shown, ({ tenant_id }) => tenant_id)) {
    const wanted = ofTenant.map(({ channel_id, message_id }) => ({ channelId: channel_id, id: message_id }))
    const rows = await findRows(deps.database, tenantId, wanted)
    messages.push(...(await completeMessages(deps, { tenantId }, rows, userId)))
  }
  return messages.toSorted((a, b) => (a.id < b.id ? 1 : -1))
}

/** Returns a function that checks whether the user may view a mention's channel. */
function viewOfAll({ spaces, joined }: Found): (mention: Mention) => boolean {
  const views = new Map(spaces.map(({ snapshot, member }) => [snapshot.space.id, viewOf(snapshot, member)]))
  const conversationIds = new Set(joined.map(({ id }) => id))
  return ({ tenant_id, channel_id, parent_id }) =>
    views.get(tenant_id)?.(parent_id ?? channel_id) ?? conversationIds.has(channel_id)
}
