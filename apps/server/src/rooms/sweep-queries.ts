import { type Queryable, sql } from '#src/kernel/sql.ts'

/** A channel whose rows are swept: it is gone, and its id never used again. */
export interface SweptChannel {
  tenantId: string
  channelId: string
}

/**
 * Deletes rows of a kind, by ctid: joined by key, 5000 of 12,000 messages took over 5 s while the table had no statistics.
 * @returns how many were deleted; fewer than the limit when none are left
 */
export type Sweep = (database: Queryable, channel: SweptChannel, limit: number) => Promise<number>

/** Of every table that has a channel's rows, but for files, whose objects have to go too. */
export const sweeps: readonly Sweep[] = [
  sweepMessages,
  sweepNonces,
  sweepMentions,
  sweepReactions,
  sweepReactionCounts,
  sweepPins,
  sweepReadStates,
  sweepMarks,
  sweepWords,
]

/** Files of its messages. Those that no message has are swept when their time is over. */
export async function listFileIds(
  database: Queryable,
  { tenantId, channelId }: SweptChannel,
  limit: number,
): Promise<string[]> {
  const rows = await database.query<{ id: string }>(sql`
    select id from attachments
    where tenant_id = ${tenantId} and channel_id = ${channelId} and message_id is not null and state = 'live'
    limit ${limit}`)
  return rows.map((row) => row.id)
}

async function sweepMessages(
  database: Queryable,
  { tenantId, channelId }: SweptChannel,
  limit: number,
): Promise<number> {
  const swept = await database.query(sql`
    delete from messages where ctid = any(array(
      select ctid from messages where tenant_id = ${tenantId} and channel_id = ${channelId} limit ${limit}))
    returning id`)
  return swept.length
}

async function sweepNonces(
  database: Queryable,
  { tenantId, channelId }: SweptChannel,
  limit: number,
): Promise<number> {
  const swept = await database.query(sql`
    delete from message_nonces where ctid = any(array(
      select ctid from message_nonces where tenant_id = ${tenantId} and channel_id = ${channelId} limit ${limit}))
    returning message_id`)
  return swept.length
}

async function sweepMentions(
  database: Queryable,
  { tenantId, channelId }: SweptChannel,
  limit: number,
): Promise<number> {
  const swept = await database.query(sql`
    delete from mentions where ctid = any(array(
      select ctid from mentions where tenant_id = ${tenantId} and channel_id = ${channelId} limit ${limit}))
    returning message_id`)
  return swept.length
}

async function sweepReactions(
  database: Queryable,
  { tenantId, channelId }: SweptChannel,
  limit: number,
): Promise<number> {
  const swept = await database.query(sql`
    delete from reactions where ctid = any(array(
      select ctid from reactions where tenant_id = ${tenantId} and channel_id = ${channelId} limit ${limit}))
    returning message_id`)
  return swept.length
}

async function sweepReactionCounts(
  database: Queryable,
  { tenantId, channelId }: SweptChannel,
  limit: number,
): Promise<number> {
  const swept = await database.query(sql`
    delete from reaction_counts where ctid = any(array(
      select ctid from reaction_counts where tenant_id = ${tenantId} and channel_id = ${channelId} limit ${limit}))
    returning message_id`)
  return swept.length
}

async function sweepPins(
  database: Queryable,
  { tenantId, channelId }: SweptChannel,
  limit: number,
): Promise<number> {
  const swept = await database.query(sql`
    delete from pins where ctid = any(array(
      select ctid from pins where tenant_id = ${tenantId} and channel_id = ${channelId} limit ${limit}))
    returning message_id`)
  return swept.length
}

async function sweepReadStates(
  database: Queryable,
  { channelId }: SweptChannel,
  limit: number,
): Promise<number> {
  const swept = await database.query(sql`
    delete from read_states where ctid = any(array(
      select ctid from read_states where channel_id = ${channelId} limit ${limit}))
    returning user_id`)
  return swept.length
}

/** Before the words: whoever indexes the channel has its mark, and leaves no words behind these. */
async function sweepMarks(database: Queryable, { tenantId, channelId }: SweptChannel): Promise<number> {
  const swept = await database.query(sql`
    delete from search_marks where tenant_id = ${tenantId} and channel_id = ${channelId} returning channel_id`)
  return swept.length
}

async function sweepWords(
  database: Queryable,
  { tenantId, channelId }: SweptChannel,
  limit: number,
): Promise<number> {
  const swept = await database.query(sql`
    delete from message_words where ctid = any(array(
      select ctid from message_words where tenant_id = ${tenantId} and channel_id = ${channelId} limit ${limit}))
    returning id`)
  return swept.length
}
