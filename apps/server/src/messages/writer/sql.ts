import { textArray, timeArray, uuidArray } from '#src/kernel/sql/binary-arrays.ts'
import { type Query, sql } from '#src/kernel/sql/sql.ts'

export interface NewMessage {
  tenantId: string
  channelId: string
  /** The room of the message's thread; null outside of threads. */
  parentId: string | null
  id: string
  eventId: string
  authorId: string
  content: string
  nonce: string | null
  createdAt: string
  /** Columns beyond plain text as JSON; null for a plain message. */
  extra: string | null
  /** True for a copy of an announcement, and in rooms that may announce. */
  isFollowed: boolean
  /** File ids in display order. Messages of a batch share none. */
  fileIds: readonly string[]
  /** Alternative texts of these files, in their order. */
  descriptions: readonly (string | null)[]
  /** The event's JSON before and after the digits of `seq`. */
  head: string
  tail: string
}

/**
 * Stores plain messages and their events in one statement. Heads are locked in id order, so that two batches never
 * deadlock; each head's `seq` is incremented. A message is skipped if its channel was deleted or its nonce was used
 * within 24 hours. Returns `{id, seq}` of the stored messages.
 */
export function insertPlainMessages(rows: readonly NewMessage[]): Query {
  const input = inputOf(rows)
  return sql`
    with input as (
      select * from unnest(
        ${input.tenantIds}::uuid[], ${input.channelIds}::uuid[], ${input.ids}::uuid[], ${input.eventIds}::uuid[],
        ${input.authorIds}::uuid[], ${input.contents}::text[], ${input.nonces}::text[],
        ${input.times}::timestamptz[], ${input.heads}::text[], ${input.tails}::text[]
      ) with ordinality as input
        (tenant_id, channel_id, id, event_id, author_id, content, nonce, created_at, head, tail, place)
    ),
    heads as materialized (
      select tenant_id, channel_id, last_seq from message_heads
      where (tenant_id, channel_id) in (select tenant_id, channel_id from input)
      order by tenant_id, channel_id for update
    ),
    nonces as (
      insert into message_nonces as known (tenant_id, channel_id, author_id, nonce, message_id, created_at)
      select tenant_id, channel_id, author_id, nonce, id, created_at
      from input join heads using (tenant_id, channel_id)
      where nonce is not null
      on conflict (tenant_id, channel_id, author_id, nonce) do update
        set message_id = excluded.message_id, created_at = excluded.created_at
        where known.created_at < excluded.created_at - interval '24 hours'
      returning message_id
    ),
    placed as materialized (
      select input.*, last_seq + row_number() over (partition by tenant_id, channel_id order by place) as seq
      from input join heads using (tenant_id, channel_id) where nonce is null or id in (select message_id from nonces)
    ),
    moved as (
      update message_heads set last_seq = newest.seq, last_message_id = newest.id
      from (
        select distinct on (tenant_id, channel_id) tenant_id, channel_id, id, seq
        from placed order by tenant_id, channel_id, seq desc
      ) as newest
      where message_heads.tenant_id = newest.tenant_id and message_heads.channel_id = newest.channel_id
    ),
    stored as (
      insert into messages (tenant_id, channel_id, id, seq, author_id, content, nonce, created_at)
      select tenant_id, channel_id, id, seq, author_id, content, nonce, created_at from placed
    ),
    journaled as (
      insert into events (kind, tenant_id, channel_id, id, name, data)
      select case tenant_id when channel_id then 'conversation' else 'room' end, tenant_id, channel_id, event_id,
        'MESSAGE_CREATE', head || seq || tail from placed
    )
    select id, seq from placed`
}

/** Returns the columns common to both statements, each as one array. */
export function inputOf(rows: readonly NewMessage[]) {
  return {
    tenantIds: uuidArray(rows.map((row) => row.tenantId)),
    channelIds: uuidArray(rows.map((row) => row.channelId)),
    ids: uuidArray(rows.map((row) => row.id)),
    eventIds: uuidArray(rows.map((row) => row.eventId)),
    authorIds: uuidArray(rows.map((row) => row.authorId)),
    contents: textArray(rows.map((row) => row.content)),
    nonces: textArray(rows.map((row) => row.nonce)),
    times: timeArray(rows.map((row) => row.createdAt)),
    heads: textArray(rows.map((row) => row.head)),
    tails: textArray(rows.map((row) => row.tail)),
  }
}
