import { MessageFlag, MessageType } from '@foyer/protocol/messages'
import type { Database } from '#src/kernel/database/database.ts'
import { enqueueLater } from '#src/kernel/jobs.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { holdSource, type Source } from './queries.ts'

/** Changes numbered per transaction. The transaction blocks other changes of the room's log. */
const BATCH = 500
/** Delay after a log begins. Messages that were being written at that time are committed by then. */
const MISSED_AFTER_SECONDS = 10
/** Maximum messages that `noteMissed` adds. The log only misses messages of a few milliseconds. */
const MAX_MISSED = 1000

/** The job that calls `noteMissed`. */
export const NOTE_MISSED = 'note_missed_announcements'

/**
 * Begins the room's log of changes, which other servers read, unless there is one.
 * @returns false for a room that does not announce
 */
export async function startLog(database: Database, source: Source): Promise<boolean> {
  const { spaceId, roomId } = source
  return database.transactionIn(spaceId, async (transaction) => {
    if (!(await holdSource(transaction, source))) return false
    const started = await transaction.query(sql`
      update followed_rooms
      set logged_since = last_seq, noted_after = least(noted_after, last_seq),
        log_head = greatest(log_head, (extract(epoch from clock_timestamp()) * 1000)::bigint)
      from message_heads
      where space_id = ${spaceId} and room_id = ${roomId} and logged_since is null
        and tenant_id = space_id and channel_id = room_id
      returning room_id`)
    const place = { space_id: spaceId, room_id: roomId }
    if (started.length > 0) await enqueueLater(transaction, NOTE_MISSED, place, MISSED_AFTER_SECONDS)
    return true
  })
}

/** Notes messages that were committed while the log began: their transactions did not see the log yet. */
export async function noteMissed(database: Database, { spaceId, roomId }: Source): Promise<void> {
  await database.execute(sql`
    insert into announcement_changes (space_id, room_id, message_id, seq)
    select tenant_id, channel_id, id, seq
    from followed_rooms
    join messages on tenant_id = space_id and channel_id = room_id and seq > logged_since
    where space_id = ${spaceId} and room_id = ${roomId} and copy_of is null
      and not exists (
        select from announcement_log as log
        where log.tenant_id = space_id and log.channel_id = room_id and log.message_id = messages.id)
    order by seq limit ${MAX_MISSED}
    on conflict do nothing`)
}

/** Lists logged rooms with changes that are not yet in their logs. */
export async function listUnlogged(database: Database, limit: number): Promise<Source[]> {
  return database.query<{ spaceId: string; roomId: string }>(sql`
    select space_id as "spaceId", room_id as "roomId"
    from announcement_changes join followed_rooms using (space_id, room_id)
    where logged_version < version and logged_since is not null
    group by space_id, room_id order by space_id, room_id limit ${limit}`)
}

/**
 * Numbers the changes of messages that the room's log does not contain yet, in batches ordered by `seq`. One transaction at a time
 * assigns numbers, so they become visible in order. A change that is retried for local followers keeps its number. Changes of
 * system messages, copies and answers that a bot is still preparing get no number.
 */
export async function logChanges(database: Database, source: Source): Promise<void> {
  const { spaceId, roomId } = source
  while (await isUnlogged(database, source)) {
    await database.transactionIn(spaceId, async (transaction) => {
      if (!(await holdLog(transaction, source))) return
      const taken = await transaction.query<{ message_id: string }>(sql`
        with taken as (
          update announcement_changes set logged_version = version
          where space_id = ${spaceId} and room_id = ${roomId} and message_id in (
            select message_id from announcement_changes
            where space_id = ${spaceId} and room_id = ${roomId} and logged_version < version
            order by seq, message_id limit ${BATCH})
          returning message_id, seq)
        select message_id from taken
        where not exists (
          select from messages
          where tenant_id = ${spaceId} and channel_id = ${roomId} and id = message_id
            and (type <> ${MessageType.Default} or copy_of is not null or flags & ${MessageFlag.Loading}::integer <> 0))
        order by seq, message_id`)
      await giveNumbers(
        transaction,
        source,
        taken.map(({ message_id }) => message_id),
      )
    })
  }
}

async function isUnlogged(database: Queryable, { spaceId, roomId }: Source): Promise<boolean> {
  const rows = await database.query(sql`
    select from followed_rooms
    where space_id = ${spaceId} and room_id = ${roomId} and logged_since is not null and exists (
      select from announcement_changes as change
      where change.space_id = followed_rooms.space_id and change.room_id = followed_rooms.room_id
        and logged_version < version)`)
  return rows.length > 0
}

/** Locks the log until the transaction ends. @returns false for a room without a log */
export async function holdLog(transaction: Queryable, { spaceId, roomId }: Source): Promise<boolean> {
  const rows = await transaction.query(sql`
    select from followed_rooms
    where space_id = ${spaceId} and room_id = ${roomId} and logged_since is not null for no key update`)
  return rows.length > 0
}

/**
 * Gives the messages the next numbers of a locked log, in this order, and makes pushes due. Runs in a separate statement
 * after the lock, so that it sees everything that was committed before. Numbers are at least the time in milliseconds, so that
 * a log that begins again, or was restored from a backup, continues above all its earlier numbers.
 */
export async function giveNumbers(
  transaction: Queryable,
  { spaceId, roomId }: Source,
  messageIds: readonly string[],
): Promise<void> {
  if (messageIds.length === 0) return
  await transaction.query(sql`
    with numbered as (
      select id, greatest(log_head, (extract(epoch from statement_timestamp()) * 1000)::bigint) + place as number
      from followed_rooms, unnest(${messageIds}::uuid[]) with ordinality as given (id, place)
      where space_id = ${spaceId} and room_id = ${roomId}),
    logged as (
      insert into announcement_log (tenant_id, channel_id, message_id, number)
      select ${spaceId}, ${roomId}, id, number from numbered
      on conflict (tenant_id, channel_id, message_id) do update set number = excluded.number),
    due as (
      update feed_subscriptions set due_at = now()
      where space_id = ${spaceId} and room_id = ${roomId} and due_at is null)
    update followed_rooms set log_head = (select max(number) from numbered)
    where space_id = ${spaceId} and room_id = ${roomId}`)
}

/** Logged messages examined in one transaction. */
const PIECE = 500

/**
 * Gives messages of a log new numbers, because their audience or names in them have changed.
 * @param userId only messages by this user and those that mention them; null for all
 * @param after the last message examined before
 * @returns the last examined message, if there may be more
 */
export async function logAgain(
  database: Database,
  source: Source,
  { userId, after }: { userId: string | null; after: string },
): Promise<string | undefined> {
  const { spaceId, roomId } = source
  return database.transactionIn(spaceId, async (transaction) => {
    if (!(await holdLog(transaction, source))) return undefined
    const looked = await transaction.query<{ message_id: string; isConcerned: boolean }>(sql`
      select message_id, ${userId}::uuid is null or (
        author_id = ${userId}::uuid or ${userId}::uuid = any(mention_ids)) is true as "isConcerned"
      from (
        select message_id, number from announcement_log
        where tenant_id = ${spaceId} and channel_id = ${roomId} and message_id > ${after}
        order by message_id limit ${PIECE}) as looked
      left join messages on tenant_id = ${spaceId} and channel_id = ${roomId} and id = message_id
      order by message_id`)
    const concerned = looked.filter(({ isConcerned }) => isConcerned)
    await giveNumbers(
      transaction,
      source,
      concerned.map(({ message_id }) => message_id),
    )
    return looked.length === PIECE ? looked.at(-1)?.message_id : undefined
  })
}

/** Returns the next room, by id, that has a log and messages by the user or mentioning them. */
export async function findNextLog(
  database: Queryable,
  userId: string,
  after: Source,
): Promise<Source | undefined> {
  const [next] = await database.query<{ spaceId: string; roomId: string }>(sql`
    select space_id as "spaceId", room_id as "roomId" from followed_rooms
    where logged_since is not null and (space_id, room_id) > (${after.spaceId}::uuid, ${after.roomId}::uuid)
      and (exists (select from messages where author_id = ${userId} and tenant_id = space_id and channel_id = room_id)
        or exists (select from mentions where tenant_id = space_id and channel_id = room_id and target_id = ${userId}))
    order by space_id, room_id limit 1`)
  return next
}
