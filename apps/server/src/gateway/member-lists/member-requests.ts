import type { MembersChunk, MemberWithUser, RequestMembers } from '@foyer/protocol/members'
import type { Database } from '#src/kernel/database/database.ts'
import { encodeEvent } from '#src/kernel/database/events.ts'
import { ApiError } from '#src/kernel/errors.ts'
import type { RateWindows } from '#src/kernel/limits/rate-windows.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import { listMembersById, searchMembers } from '#src/members/queries.ts'
import { publicPresence } from '#src/people/presence/choices.ts'
import type { Presences } from '#src/people/presence/presences.ts'
import { listHidden } from '#src/people/presence/queries.ts'
import { accessSpace } from '#src/spaces/access.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import type { Connection } from '../connections/connection.ts'
import { dispatchFrame } from '../connections/frames.ts'
import type { UserTurns } from '../connections/user-turns.ts'

export interface MemberRequestDeps {
  database: Database
  snapshots: Snapshots
  presences: Presences
  /** Counts the requests of each connection and of each user. */
  memberRequests: RateWindows
  /** Serializes the requests of each user. */
  memberTurns: UserTurns
}

/** About 30 KB per chunk. */
const MEMBERS_PER_CHUNK = 50
const MAX_CONNECTION_REQUESTS = 20
/** Limit over all connections of a user, of which there may be 100. */
const MAX_USER_REQUESTS = 40
export const REQUEST_WINDOW_MS = 10_000

/**
 * @throws ApiError 400 unless exactly one of query and user_ids is given, 403 for non-members, 429 for too
 * many requests
 */
export async function requestMembers(
  deps: MemberRequestDeps,
  connection: Connection,
  request: RequestMembers,
): Promise<void> {
  const { caller } = connection
  if (caller === undefined) return
  const userId = caller.user.id
  if (!mayAsk(deps.memberRequests, connection.id, userId)) throw new ApiError('rate_limited')
  await deps.memberTurns.enter(userId)
  try {
    if (connection.state.name === 'ready') await answer(deps, { connection, caller }, request)
  } finally {
    deps.memberTurns.leave(userId)
  }
}

async function answer(
  deps: MemberRequestDeps,
  { connection, caller }: { connection: Connection; caller: Caller },
  request: RequestMembers,
): Promise<void> {
  const { spaceId } = await accessSpace(deps.snapshots, caller, request.space_id)
  const members = await find(deps.database, spaceId, request)
  const userIds = members.map(({ user_id }) => user_id)
  const presences = await findPresences(deps, caller.user.id, userIds)
  const notFound = (request.user_ids ?? []).filter((id) => !userIds.includes(id))
  const chunks = chunksOf(members)
  for (const [index, chunk] of chunks.entries()) {
    await sendChunk(connection, {
      space_id: spaceId,
      members: chunk,
      presences: chunk.flatMap(({ user_id }) => presences.get(user_id) ?? []),
      not_found: index === 0 ? [...new Set(notFound)] : [],
      chunk_index: index,
      chunk_count: chunks.length,
      nonce: request.nonce ?? null,
    })
  }
}

function find(database: Database, spaceId: string, request: RequestMembers): Promise<MemberWithUser[]> {
  const { query = null, user_ids: userIds = null, limit = MEMBERS_PER_CHUNK } = request
  if (query !== null && userIds === null) return searchMembers(database, spaceId, query, limit)
  if (query === null && userIds !== null) return listMembersById(database, spaceId, userIds)
  throw new ApiError('invalid_request', 'either query or user_ids is required')
}

/** Returns presences as the user may see them. Users who block, or are blocked by, the user are left out. */
async function findPresences(
  { database, presences }: MemberRequestDeps,
  userId: string,
  ids: readonly string[],
) {
  const [standings, hidden] = await Promise.all([presences.read(ids), listHidden(database, userId, ids)])
  return new Map(
    ids.map((id, index) => [
      id,
      hidden.includes(id) ? undefined : publicPresence(id, standings[index]?.choice),
    ]),
  )
}

/** Returns at least one chunk: an empty result is also answered. */
function chunksOf(members: readonly MemberWithUser[]): MemberWithUser[][] {
  const count = Math.max(1, Math.ceil(members.length / MEMBERS_PER_CHUNK))
  return Array.from({ length: count }, (_, index) =>
    members.slice(index * MEMBERS_PER_CHUNK, (index + 1) * MEMBERS_PER_CHUNK),
  )
}

async function sendChunk(connection: Connection, chunk: MembersChunk): Promise<void> {
  const data = encodeEvent('SPACE_MEMBERS_CHUNK', chunk)
  const frame = dispatchFrame({ id: undefined, name: 'SPACE_MEMBERS_CHUNK', data })
  await connection.prepare(frame)
  connection.send(frame)
}

function mayAsk(counts: RateWindows, connectionId: string, userId: string): boolean {
  const now = performance.now()
  const ofConnection = counts.at(connectionId, MAX_CONNECTION_REQUESTS, now)
  const ofUser = counts.at(userId, MAX_USER_REQUESTS, now)
  if (ofConnection.count >= ofConnection.limit || ofUser.count >= ofUser.limit) return false
  ofConnection.count += 1
  ofUser.count += 1
  return true
}
