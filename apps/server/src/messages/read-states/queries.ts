import { MAX_UNREAD_COUNT } from '@foyer/protocol/limits'
import type { ReadState } from '@foyer/protocol/messages'
import { channelOf, type Place } from '#src/channels/place.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { sql } from '#src/kernel/sql/sql.ts'

/** Maximum messages examined per channel. A bot never marks anything read, and may itself have sent a million messages. */
const MAX_LOOKED = 2000

/** The newest message of a channel. */
export interface ChannelHead {
  last_message_id: string | null
  last_seq: number
}

/** Read states of a user in channels, and the newest messages there. */
export interface ReadChannels {
  reads: ReadState[]
  /** Heads by channel id. */
  heads: ReadonlyMap<string, ChannelHead>
}

interface ReadStateRow extends ChannelHead {
  tenant_id: string
  channel_id: string
  last_read_seq: number
  unread_count: number
  mention_count: number
}

/** Returns the read state of each channel with messages, as `listReadChannels` does. */
export async function listReadStates(
  database: Queryable,
  userId: string,
  channels: readonly Place[],
): Promise<ReadState[]> {
  return (await listReadChannels(database, userId, channels)).reads
}

/**
 * Returns the read state of each channel with messages. Counts unread messages, except those of the user and of blocked
 * users, and unread mentions of the user, their current roles or @everyone. Counts up to a limit: 200 rooms with 50 unread
 * messages each take 10 ms.
 */
export async function listReadChannels(
  database: Queryable,
  userId: string,
  channels: readonly Place[],
): Promise<ReadChannels> {
  const rows = await database.query<ReadStateRow>(sql`
    with unheard as materialized (
      select ${userId}::uuid as id union all select blocked_id from blocks where user_id = ${userId})
    select channel.tenant_id, channel.channel_id, base.seq as last_read_seq,
      unread.count as unread_count, mentioning.count as mention_count, head.last_message_id, head.last_seq
    from unnest(
      ${channels.map(({ tenantId }) => tenantId)}::uuid[], ${channels.map(({ channelId }) => channelId)}::uuid[]
    ) as channel (tenant_id, channel_id)
    join message_heads as head using (tenant_id, channel_id)
    left join read_states as state on state.user_id = ${userId} and state.channel_id = channel.channel_id
    cross join lateral (select coalesce(state.last_read_seq, 0) as seq) as base
    cross join lateral (
      select count(*) from (
        select from (
          select author_id from messages
          where tenant_id = channel.tenant_id and channel_id = channel.channel_id and head.last_seq > base.seq
            and seq > base.seq
          order by seq desc limit ${MAX_LOOKED}) as newest
        where author_id not in (select id from unheard)
        limit ${MAX_UNREAD_COUNT}) as counted
    ) as unread
    cross join lateral (
      select count(*) from (
        select distinct seq from (
          select seq, author_id from mentions
          where tenant_id = channel.tenant_id and channel_id = channel.channel_id and head.last_seq > base.seq
            and target_id = any(array[${userId}::uuid, channel.channel_id] || array(
              select role_id from member_roles where space_id = channel.tenant_id and user_id = ${userId}))
            and seq > base.seq
          limit ${MAX_LOOKED}) as named
        where author_id not in (select id from unheard)
        limit ${MAX_UNREAD_COUNT}) as counted
    ) as mentioning
    where head.last_seq > 0
    order by channel.channel_id`)
  const heads = new Map(
    rows.map(({ channel_id, last_message_id, last_seq }) => [channel_id, { last_message_id, last_seq }]),
  )
  return { reads: rows.map(asReadState), heads }
}

/**
 * Moves the user's read state to a message, forwards or backwards. If this is the newest message, the read state also
 * covers deleted messages after it, so that they do not keep the channel unread.
 * @returns true if the message exists
 */
export async function upsertReadState(
  database: Queryable,
  userId: string,
  { tenantId, channelId }: Place,
  messageId: string,
): Promise<boolean> {
  const rows = await database.query(sql`
    insert into read_states (user_id, tenant_id, channel_id, last_read_seq)
    select ${userId}, tenant_id, channel_id, case when last_message_id = id then last_seq else seq end
    from messages join message_heads using (tenant_id, channel_id)
    where tenant_id = ${tenantId} and channel_id = ${channelId} and id = ${messageId}
    on conflict (user_id, channel_id) do update
      set last_read_seq = excluded.last_read_seq, updated_at = now()
    returning channel_id`)
  return rows.length > 0
}

/**
 * Moves the user's read state forwards to a message, if nothing from others is unread before it. Blocked users do not
 * count.
 * @returns true if the read state moved
 */
export async function advanceReadState(
  database: Queryable,
  userId: string,
  { tenantId, channelId }: Place,
  seq: number,
): Promise<boolean> {
  const rows = await database.query(sql`
    insert into read_states as state (user_id, tenant_id, channel_id, last_read_seq)
    select ${userId}, ${tenantId}, ${channelId}, ${seq}
    where not exists (
      select from messages
      where tenant_id = ${tenantId} and channel_id = ${channelId} and author_id <> ${userId} and seq < ${seq}
        and author_id not in (select blocked_id from blocks where user_id = ${userId})
        and seq > coalesce((
          select last_read_seq from read_states where user_id = ${userId} and channel_id = ${channelId}), 0))
    on conflict (user_id, channel_id) do update
      set last_read_seq = excluded.last_read_seq, updated_at = now()
      where state.last_read_seq < excluded.last_read_seq
    returning channel_id`)
  return rows.length > 0
}

function asReadState(row: ReadStateRow): ReadState {
  const { last_read_seq, unread_count, mention_count } = row
  const { room_id, conversation_id } = channelOf({ tenantId: row.tenant_id, channelId: row.channel_id })
  return { room_id, conversation_id, last_read_seq, unread_count, mention_count }
}
