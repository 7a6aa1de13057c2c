import { LEAST_ID } from '@foyer/protocol/ids'
import { MAX_LISTED_CONVERSATIONS } from '@foyer/protocol/limits'
import { uuidArray } from '#src/kernel/sql/binary-arrays.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** A conversation of the user. */
export interface Joined {
  readonly id: string
  readonly joined_at: string
}

/** Lists the user's open conversations, up to a limit: those with the newest messages. */
export async function listJoined(database: Queryable, userId: string): Promise<Joined[]> {
  return database.query<Joined>(sql`
    select conversation_id as id, joined_at
    from conversation_members
      left join message_heads on tenant_id = conversation_id and channel_id = conversation_id
    where user_id = ${userId} and closed_at is null
    order by coalesce(last_message_id, conversation_id) desc, conversation_id
    limit ${MAX_LISTED_CONVERSATIONS}`)
}

/** The channels in which to look for mentions. */
export interface Watched {
  readonly spaces: readonly WatchedSpace[]
  readonly conversations: readonly Since[]
}

interface Since {
  readonly id: string
  /** Message id from which mentions of roles and @everyone are included. */
  readonly since: string
}

/** Rooms of a space: all but the exceptions, or only the exceptions. */
export interface WatchedSpace extends Since {
  /** True if the user may view all rooms but the exceptions. */
  readonly showsRooms: boolean
  readonly exceptions: readonly string[]
  /** Number of rooms to search. */
  readonly roomCount: number
}

/** A message that mentions the user. */
export interface Mention {
  readonly tenant_id: string
  readonly channel_id: string
  /** The thread's room, which decides the rights; null outside of threads. */
  readonly parent_id: string | null
  readonly message_id: string
  readonly author_id: string
}

interface Page {
  before: string
  limit: number
}

/** Returns the newest messages before an id that mention the user, their current roles or @everyone. */
export async function listMentionsOf(
  database: Queryable,
  userId: string,
  watched: Watched,
  page: Page,
): Promise<Mention[]> {
  const found = [
    ...(await listInChannels(database, userId, watched, page)),
    ...(await listNamedInThreads(database, userId, watched, page)),
  ]
  const byId = new Map(found.map((mention) => [mention.message_id, mention]))
  const newest = [...byId.values()].sort((one, other) => (one.message_id < other.message_id ? 1 : -1))
  return newest.slice(0, page.limit)
}

/** Returns the newest messages in threads that mention the user by name, from an index over all threads. */
async function listNamedInThreads(
  database: Queryable,
  userId: string,
  { spaces }: Watched,
  { before, limit }: Page,
): Promise<Mention[]> {
  return database.query<Mention>(sql`
    with space as materialized (
      select * from unnest(${ids(spaces)}::uuid[], ${spaces.map(({ showsRooms }) => showsRooms)}::boolean[])
        as space (id, shows_rooms)
    ), exception as materialized (
      select unnest(${uuidArray(spaces.flatMap(({ exceptions }) => exceptions))}::uuid[]) as id
    )
    select message_id, tenant_id, channel_id, parent_id, author_id
    from mentions join space on space.id = tenant_id
    where target_id = ${userId} and mentions.parent_id is not null and message_id < ${before}
      and shows_rooms <> (mentions.parent_id in (select id from exception))
      and exists (select from thread_rooms where space_id = tenant_id and thread_rooms.id = channel_id)
      and exists (select from rooms where space_id = tenant_id and rooms.id = mentions.parent_id)
    order by message_id desc limit ${limit}`)
}

/**
 * Returns the newest messages before an id that mention the user, their current roles or @everyone. First reads the newest
 * mention per channel and kind, to find the channels that can contribute to the page; then reads only these. Both use only
 * the index. Includes followed threads, except their mentions by name, which another query finds in all threads.
 */
async function listInChannels(
  database: Queryable,
  userId: string,
  { spaces, conversations }: Watched,
  { before, limit }: Page,
): Promise<Mention[]> {
  return database.query<Mention>(sql`
    with room as materialized (
      select space_id as tenant_id, rooms.id as channel_id, since
      from unnest(${ids(spaces)}::uuid[], ${sinces(spaces)}::uuid[],
        ${spaces.map(({ showsRooms }) => showsRooms)}::boolean[]) as space (id, since, shows_rooms)
        join rooms on space_id = space.id
      where shows_rooms <> (rooms.id in (
        select unnest(${uuidArray(spaces.flatMap(({ exceptions }) => exceptions))}::uuid[])))
    ), place as (
      select tenant_id, channel_id, null::uuid as parent_id, since from room
      union all select room.tenant_id, thread.id, thread.room_id, since
      from thread_follows as follow
        join thread_rooms as thread on thread.space_id = follow.space_id and thread.id = follow.thread_id
        join room on room.tenant_id = thread.space_id and room.channel_id = thread.room_id
      where follow.user_id = ${userId}
      union all select id, id, null, since
      from unnest(${ids(conversations)}::uuid[], ${sinces(conversations)}::uuid[]) as conversation (id, since)
    ), way as materialized (
      select place.tenant_id, place.channel_id, place.parent_id, target.id as target_id, target.since,
        dense_rank() over (order by newest.message_id desc) as rank
      from place
      cross join lateral (
        select ${userId}::uuid as id, ${LEAST_ID}::uuid as since where place.parent_id is null
        union all select place.channel_id, place.since
        union all select role_id, place.since from member_roles
        where space_id = place.tenant_id and user_id = ${userId}
      ) as target
      cross join lateral (
        select message_id from mentions
        where tenant_id = place.tenant_id and channel_id = place.channel_id and target_id = target.id
          and message_id >= target.since and message_id < ${before}
        order by message_id desc limit 1
      ) as newest
    )
    select distinct message_id, way.tenant_id, way.channel_id, way.parent_id, author_id
    from way cross join lateral (
      select message_id, author_id from mentions
      where tenant_id = way.tenant_id and channel_id = way.channel_id and target_id = way.target_id
        and message_id >= way.since and message_id < ${before}
      order by message_id desc limit ${limit}
    ) as newest
    where rank <= ${limit}
    order by message_id desc limit ${limit}`)
}

function ids(places: readonly Since[]): string[] {
  return places.map(({ id }) => id)
}

function sinces(places: readonly Since[]): string[] {
  return places.map(({ since }) => since)
}
