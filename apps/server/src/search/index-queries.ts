import { MessageType } from '@foyer/protocol/messages'
import type { Place } from '#src/channels/place.ts'
import { textArray, uuidArray } from '#src/kernel/sql/binary-arrays.ts'
import { fragment, type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { type IndexedMessage, lexemesOf } from './lexemes.ts'

/** A message as the index needs it. Times are text, so that they do not depend on the type parsers of the connection. */
export interface IndexRow extends IndexedMessage {
  seq: number
  created_at: string
}

/** A channel, how far it is indexed, and its last `seq`. */
export interface Lag extends Place {
  indexedSeq: number
  lastSeq: number
}

interface LagRow {
  tenant_id: string
  channel_id: string
  indexed_seq: number
  last_seq: number
}

/** Columns of a `LagRow`, from `message_heads as head` joined with `search_marks`. */
const lagColumns = fragment`
  head.tenant_id, head.channel_id, coalesce(indexed_seq, 0)::float8 as indexed_seq, last_seq::float8 as last_seq`

/** Columns of an `IndexRow`, from `messages as message`. */
const indexedColumns = fragment`
  message.tenant_id, message.channel_id, message.parent_id, id, seq::float8 as seq, author_id, content, pinned, mention_ids,
  message.created_at::text as created_at, snapshot ->> 'content' as forwarded,
  coalesce(jsonb_array_length(embeds), 0) + coalesce(jsonb_array_length(snapshot -> 'embeds'), 0) > 0 as has_embeds,
  sticker_ids is not null or coalesce(jsonb_array_length(snapshot -> 'stickers'), 0) > 0 as has_stickers,
  case when has_files then array(
    select distinct split_part(content_type, '/', 1) from attachments
    where attachments.tenant_id = message.tenant_id and message_id = message.id) end as media`

/** Types of system messages without words of people, about pins and about public pages. They are not indexed. */
const NOTICES: readonly number[] = [MessageType.PinNotice, MessageType.WebNotice]

/** A channel and its lag. `isTaken` is true if this transaction has taken its mark, false if another holds it. */
export interface TakenLag extends Lag {
  isTaken: boolean
}

/**
 * Takes the channels' marks until the transaction ends, skipping deleted channels and marks that other transactions hold.
 */
export async function takeMarks(transaction: Queryable, places: readonly Place[]): Promise<TakenLag[]> {
  const [tenantIds, channelIds] = columnsOf(places)
  await transaction.query(sql`
    insert into search_marks (tenant_id, channel_id)
    select tenant_id, channel_id
    from unnest(${tenantIds}::uuid[], ${channelIds}::uuid[]) as place (tenant_id, channel_id)
      join message_heads using (tenant_id, channel_id)
    where not exists (
      select from search_marks as mark
      where mark.tenant_id = place.tenant_id and mark.channel_id = place.channel_id)
    order by tenant_id, channel_id
    on conflict do nothing`)
  const rows = await transaction.query<LagRow & { is_taken: boolean }>(sql`
    with place as (
      select * from unnest(${tenantIds}::uuid[], ${channelIds}::uuid[]) as place (tenant_id, channel_id)
    ),
    mark as materialized (
      select search_marks.* from place join search_marks using (tenant_id, channel_id)
      for update of search_marks skip locked
    )
    select ${lagColumns}, mark.channel_id is not null as is_taken
    from place join message_heads as head using (tenant_id, channel_id)
      left join mark using (tenant_id, channel_id)
    order by head.tenant_id, head.channel_id`)
  return rows.map((row) => ({ ...lagOf(row), isTaken: row.is_taken }))
}

/**
 * Takes a channel's mark, after waiting for its holder. Until the transaction ends, no other process changes the
 * index of the channel.
 */
export async function holdMark(transaction: Queryable, { tenantId, channelId }: Place): Promise<void> {
  await transaction.query(sql`
    insert into search_marks as mark (tenant_id, channel_id) values (${tenantId}, ${channelId})
    on conflict (tenant_id, channel_id) do update set indexed_seq = mark.indexed_seq`)
}

/** An unindexed message. Notices are listed only to move the mark past them. */
export interface UnindexedRow extends IndexRow {
  is_notice: boolean
}

/** Returns each channel's oldest unindexed messages, including notices, which the caller leaves out of the index. */
export async function listUnindexed(
  transaction: Queryable,
  lags: readonly Lag[],
  limit: number,
): Promise<UnindexedRow[]> {
  const [tenantIds, channelIds] = columnsOf(lags)
  return transaction.query<UnindexedRow>(sql`
    select ${indexedColumns}, message.type = any(${NOTICES}::smallint[]) as is_notice
    from unnest(
        ${tenantIds}::uuid[], ${channelIds}::uuid[], ${lags.map((lag) => lag.indexedSeq)}::bigint[],
        ${lags.map((lag) => lag.lastSeq)}::bigint[]) as lag (tenant_id, channel_id, indexed_seq, last_seq)
      cross join lateral (
        select * from messages
        where messages.tenant_id = lag.tenant_id and messages.channel_id = lag.channel_id
          and seq > indexed_seq and seq <= lag.last_seq
        order by seq limit ${limit}) as message
    order by message.tenant_id, message.channel_id, seq`)
}

/** Returns the messages as the transaction sees them, without notices. */
export async function listIndexed(
  transaction: Queryable,
  { tenantId, channelId }: Place,
  ids: readonly string[],
): Promise<IndexRow[]> {
  return transaction.query<IndexRow>(sql`
    select ${indexedColumns}
    from messages as message
    where message.tenant_id = ${tenantId} and message.channel_id = ${channelId} and id = any(${ids})
      and type <> all(${NOTICES}::smallint[])
    order by id`)
}

/**
 * Inserts or updates the messages' index rows. The caller must have taken the channels' marks. For a thread's message,
 * `channel_id` is the id of the room, so that a search in rooms finds them without knowing the threads.
 */
export async function upsertWords(transaction: Queryable, rows: readonly IndexRow[]): Promise<void> {
  if (rows.length === 0) return
  await transaction.query(sql`
    insert into message_words as known (tenant_id, channel_id, thread_id, id, created_at, words)
    select tenant_id, channel_id, nullif(thread_id, channel_id), id, created_at::timestamptz, array_to_tsvector(string_to_array(words, ' '))
    from unnest(
      ${uuidArray(rows.map((row) => row.tenant_id))}::uuid[],
      ${uuidArray(rows.map((row) => row.parent_id ?? row.channel_id))}::uuid[],
      ${uuidArray(rows.map((row) => row.channel_id))}::uuid[],
      ${uuidArray(rows.map((row) => row.id))}::uuid[],
      ${textArray(rows.map((row) => row.created_at))}::text[],
      ${textArray(rows.map((row) => lexemesOf(row).join(' ')))}::text[]) as input (tenant_id, channel_id, thread_id, id, created_at, words)
    on conflict (tenant_id, id, channel_id) do update set words = excluded.words
      where known.words <> excluded.words`)
}

export async function deleteWords(
  transaction: Queryable,
  { tenantId, channelId }: Place,
  ids: readonly string[],
): Promise<void> {
  await transaction.query(sql`
    delete from message_words
    where tenant_id = ${tenantId} and ${channelId} = coalesce(thread_id, channel_id) and id = any(${ids})`)
}

export async function moveMarks(
  transaction: Queryable,
  marks: readonly (Place & { seq: number })[],
): Promise<void> {
  const [tenantIds, channelIds] = columnsOf(marks)
  await transaction.query(sql`
    update search_marks as mark set indexed_seq = moved.seq
    from unnest(${tenantIds}::uuid[], ${channelIds}::uuid[], ${marks.map((mark) => mark.seq)}::bigint[])
      as moved (tenant_id, channel_id, seq)
    where mark.tenant_id = moved.tenant_id and mark.channel_id = moved.channel_id`)
}

/** Lists channels with unindexed messages, by id. */
export async function listLagging(database: Queryable, limit: number): Promise<Place[]> {
  const rows = await database.query<LagRow>(sql`
    select ${lagColumns}
    from message_heads as head left join search_marks as mark using (tenant_id, channel_id)
    where last_seq > coalesce(indexed_seq, 0)
    order by head.tenant_id, head.channel_id limit ${limit}`)
  return rows.map(lagOf)
}

function lagOf(row: LagRow): Lag {
  return {
    tenantId: row.tenant_id,
    channelId: row.channel_id,
    indexedSeq: row.indexed_seq,
    lastSeq: row.last_seq,
  }
}

function columnsOf(places: readonly Place[]): [string[], string[]] {
  return [places.map(({ tenantId }) => tenantId), places.map(({ channelId }) => channelId)]
}

/** Merges pending entries into the main structure of the GIN index: every search reads all pending entries. */
export async function sortNewWords(database: Queryable): Promise<void> {
  await database.query(sql`select gin_clean_pending_list('message_words_words')`)
}
