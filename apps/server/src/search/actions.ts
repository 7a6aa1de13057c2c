import type { Message } from '@foyer/protocol/messages'
import type { MessageSearchResponse } from '@foyer/protocol/search'
import type { Database } from '#src/kernel/database/database.ts'
import type { Reads } from '#src/kernel/database/reads.ts'
import { findRows } from '#src/messages/queries.ts'
import { completeMessages, type MessageReader } from '#src/messages/reading.ts'
import { inTime, MAX_SEARCH_MS } from './deadline.ts'
import { findMatches } from './engine.ts'
import { listFoundThreads } from './found-threads.ts'
import type { SearchIndexer } from './indexer.ts'
import { listLags, type RoomLag } from './lags.ts'
import type { SearchReader } from './reader.ts'
import type { Question, Scope } from './scope.ts'
import type { ThreadSizes } from './thread-sizes.ts'
import type { Match } from './walks.ts'

export interface SearchDeps extends MessageReader {
  database: Database
  searchIndexer: SearchIndexer
  searchReader: SearchReader
  searchReplica: SearchReader | undefined
  threadSizes: ThreadSizes
  reads: Reads
}

/** The scope of a search, and the caller's access to it. */
export interface Searched {
  callerId: string
  /** Returns the requested channels that the caller may view now. Called again after messages were found. */
  listChannels(): Promise<readonly string[]>
}

/**
 * Maximum unindexed messages that a search waits for. There are more only while old messages are indexed for the first time.
 */
const MAX_AWAITED = 20_000

/**
 * Returns matching messages, newest first.
 * @throws ApiError 503 if it takes too long
 */
export async function searchMessages(
  deps: SearchDeps,
  searched: Searched,
  question: Question,
): Promise<MessageSearchResponse> {
  const deadline = performance.now() + MAX_SEARCH_MS
  const scope = { ...question, channelIds: await searched.listChannels() }
  const matches = await find(deps, scope, deadline)
  const page = matches.slice(0, scope.limit)
  const messages = await inTime(deadline, readMessages(deps, { ...searched, tenantId: scope.tenantId }, page))
  const users = new Map(messages.map(({ author }) => [author.id, author]))
  const threads = await inTime(deadline, listFoundThreads(deps.database, scope.tenantId, messages))
  const has_more = matches.length > page.length
  return {
    messages,
    users: [...users.values()],
    threads,
    has_more,
    cursor: has_more ? (page.at(-1)?.id ?? null) : null,
  }
}

async function find(deps: SearchDeps, scope: Scope, deadline: number): Promise<Match[]> {
  if (scope.channelIds.length === 0) return []
  const look = Promise.all([
    listLags(deps.database, scope.tenantId),
    deps.threadSizes.find(deps.database, scope.tenantId),
  ])
  const [lags, inThreads] = await inTime(deadline, look)
  const all = lags.map((lag) => ({ ...lag, rows: lag.lastSeq + (inThreads.get(lag.channelId) ?? 0) }))
  const asked = new Set(scope.channelIds)
  const channels = all.filter(({ channelId }) => asked.has(channelId))
  await inTime(deadline, catchUp(deps.searchIndexer, channels))
  const tenantRows = all.reduce((sum, { rows }) => sum + rows, 0)
  const sizes = { tenantRows, channels, isWhole: channels.length === all.length }
  return deps.reads.run((_, place) => {
    const reader = place === 'replica' ? deps.searchReplica : undefined
    return (reader ?? deps.searchReader).run(deadline, (database) => findMatches(database, scope, sizes))
  })
}

/** Waits until all messages sent before the search, on any process, are indexed. Does not wait for more than MAX_AWAITED. */
async function catchUp(indexer: SearchIndexer, channels: readonly RoomLag[]): Promise<void> {
  const lagging = channels.flatMap((channel) => channel.lagging)
  const missing = channels.reduce((sum, channel) => sum + channel.missing, 0)
  if (missing > MAX_AWAITED) return indexer.note(lagging)
  await indexer.caughtUp(lagging)
}

/** Returns the matches that the caller may still view, newest first. */
async function readMessages(
  deps: SearchDeps,
  { tenantId, callerId, listChannels }: Searched & { tenantId: string },
  matches: readonly Match[],
): Promise<Message[]> {
  const visible = new Set(await listChannels())
  const shown = matches.filter(({ roomId }) => visible.has(roomId))
  const rows = shown.length === 0 ? [] : await findRows(deps.database, tenantId, shown)
  const newest = rows.toSorted((a, b) => (a.id < b.id ? 1 : -1))
  return completeMessages(deps, { tenantId }, newest, callerId)
}
