import type { Place } from '#src/channels/place.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

/**
 * Maximum threads of a space that a search checks for unindexed messages, newest activity first: those of the last hour, and
 * some older ones, because an import may just have ended. Indexing lags by less than a second, and checking each of 100,000
 * threads would take too long.
 */
const MAX_WATCHED = { ofLastHour: 2000, whenever: 500 }

/** Unindexed messages of a conversation, or of a room including its threads. */
export interface RoomLag {
  readonly channelId: string
  /** Last `seq` of the channel itself, without its threads. */
  readonly lastSeq: number
  readonly missing: number
  /** The room or conversation itself and its threads, as far as they have unindexed messages. */
  readonly lagging: readonly Place[]
}

interface LagRow {
  channel_id: string
  last_seq: number
  missing: number
  lagging: string[] | null
}

/** Returns the lag of each room of a tenant, or of the conversation. Threads beyond MAX_WATCHED were indexed long ago. */
export async function listLags(database: Queryable, tenantId: string): Promise<RoomLag[]> {
  const rows = await database.query<LagRow>(sql`
    with watched as (
      select id, id as room_id from rooms where space_id = ${tenantId}
      union all
      select ${tenantId}::uuid, ${tenantId}::uuid
      union all (
        (select id, room_id from thread_rooms
          where space_id = ${tenantId} and active_at > now() - interval '1 hour'
          order by active_at desc limit ${MAX_WATCHED.ofLastHour})
        union
        (select id, room_id from thread_rooms
          where space_id = ${tenantId} order by active_at desc limit ${MAX_WATCHED.whenever})
      )
    )
    select room_id as channel_id, coalesce(sum(last_seq) filter (where id = room_id), 0)::float8 as last_seq,
      sum(last_seq - indexed_seq)::float8 as missing, array_agg(id) filter (where indexed_seq < last_seq) as lagging
    from (
      select watched.id, room_id, last_seq, coalesce(indexed_seq, 0) as indexed_seq
      from watched
        -- One by one, because the planner knows neither the limits above nor the number of rooms.
        cross join lateral (
          select last_seq from message_heads where tenant_id = ${tenantId} and channel_id = watched.id limit 1) as head
        left join lateral (
          select indexed_seq from search_marks where tenant_id = ${tenantId} and channel_id = watched.id limit 1) as mark
          on true
    ) as each_channel
    group by room_id
    order by room_id`)
  return rows.map(({ channel_id, last_seq, missing, lagging }) => ({
    channelId: channel_id,
    lastSeq: last_seq,
    missing,
    lagging: (lagging ?? []).map((channelId) => ({ tenantId, channelId })),
  }))
}
