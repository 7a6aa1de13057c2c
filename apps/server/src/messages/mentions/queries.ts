import { LEAST_ID } from '@foyer/protocol/ids'
import { MAX_LISTED_CONVERSATIONS } from '@foyer/protocol/limits'
import { uuidArray } from '#src/kernel/binary-arrays.ts'
import { type Queryable, sql } from '#src/kernel/sql.ts'

/** A conversation that a user is in. */
export interface Joined {
  readonly id: string
  readonly joined_at: string
}

/** The conversations that the user has not closed: of very many those in which something was said last, as they are listed. */
export async function listJoined(database: Queryable, userId: string): Promise<Joined[]> {
  return database.query<Joined>(sql`
    select conversation_id as id, joined_at
    from conversation_members
      left join message_heads on tenant_id = conversation_id and channel_id = conversation_id
    where user_id = ${userId} and closed_at is null
    order by coalesce(last_message_id, conversation_id) desc, conversation_id
    limit ${MAX_LISTED_CONVERSATIONS}`)
}

/** Where to look for mentions. */
export interface Watched {
  readonly spaces: readonly WatchedSpace[]
  readonly conversations: readonly Since[]
}

interface Since {
  readonly id: string
  /** What is said to a role or to everybody counts from this id on. */
  readonly since: string
}

/** All rooms of a space but the exceptions, or the exceptions alone. */
export interface WatchedSpace extends Since {
  /** Whether the user may view the rooms that are no exceptions. */
  readonly showsRooms: boolean
  readonly exceptions: readonly string[]
  /** Rooms that are looked at. */
  readonly roomCount: number
}

/** A message that mentions somebody. */
export interface Mention {
  readonly tenant_id: string
  readonly channel_id: string
  readonly message_id: string
  readonly author_id: string
}

/**
 * The newest messages before an id that mention the user, a role that they have now, or everybody: whoever wrote them. The
 * newest of each place and each way to be mentioned says which of these can have any of the newest of all; only they are read
 * on, and all out of the index alone.
 */
export async function listMentionsOf(
  database: Queryable,
  userId: string,
  { spaces, conversations }: Watched,
  { before, limit }: { before: string; limit: number },
): Promise<Mention[]> {
  return database.query<Mention>(sql`
    with place as (
      select space_id as tenant_id, rooms.id as channel_id, since
      from unnest(${ids(spaces)}::uuid[], ${sinces(spaces)}::uuid[],
        ${spaces.map(({ showsRooms }) => showsRooms)}::boolean[]) as space (id, since, shows_rooms)
        join rooms on space_id = space.id
      where shows_rooms <> (rooms.id in (
        select unnest(${uuidArray(spaces.flatMap(({ exceptions }) => exceptions))}::uuid[])))
      union all
      select id, id, since
      from unnest(${ids(conversations)}::uuid[], ${sinces(conversations)}::uuid[]) as conversation (id, since)
    ), way as materialized (
      select place.tenant_id, place.channel_id, target.id as target_id, target.since,
        dense_rank() over (order by newest.message_id desc) as rank
      from place
      cross join lateral (
        select ${userId}::uuid as id, ${LEAST_ID}::uuid as since
        union all
        select place.channel_id, place.since
        union all
        select role_id, place.since from member_roles
        where space_id = place.tenant_id and user_id = ${userId}
      ) as target
      cross join lateral (
        select message_id from mentions
        where tenant_id = place.tenant_id and channel_id = place.channel_id and target_id = target.id
          and message_id >= target.since and message_id < ${before}
        order by message_id desc limit 1
      ) as newest
    )
    select distinct message_id, way.tenant_id, way.channel_id, author_id
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
