import { Database } from '../../apps/server/src/kernel/database/database.ts'
import { sql } from '../../apps/server/src/kernel/sql/sql.ts'
import type { Foyer } from '../server/foyer.ts'

/** Rows per statement, so that a statement takes less than its limit of five seconds. */
const ROWS_AT_ONCE = 20_000

/** Connects to the database directly, to create more data than requests could. */
export async function withDatabase<Result>(
  { postgresSocket }: Foyer,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const onError = (error: Error) => {
    throw error
  }
  const connection = { host: postgresSocket, user: 'foyer', database: 'foyer' }
  const database = new Database({ connection, onError, onCommit: async () => undefined })
  return work(database).finally(() => database.close())
}

export interface History {
  spaceId: string
  roomId: string
  authorIds: readonly string[]
  count: number
}

/**
 * Fills a room. Out of twenty messages, four are replies, four have two kinds of reactions, two have a picture, and two
 * mention a user.
 */
export async function fillRoom(database: Database, history: History): Promise<void> {
  const { spaceId, roomId, count } = history
  for (let from = 1; from <= count; from += ROWS_AT_ONCE) {
    const range = { from, to: Math.min(count, from + ROWS_AT_ONCE - 1) }
    await insertMessages(database, history, range)
    await insertReactions(database, history, range)
    await insertFiles(database, history, range)
  }
  await database.execute(sql`
    update message_heads set last_seq = ${count}, last_message_id = (
      select id from messages where tenant_id = ${spaceId} and channel_id = ${roomId} and seq = ${count})
    where tenant_id = ${spaceId} and channel_id = ${roomId}`)
}

interface Range {
  from: number
  to: number
}

/** Inserts messages whose ids (UUIDs of version 7) are in the order of seq, with times one second apart. */
async function insertMessages(database: Database, history: History, { from, to }: Range): Promise<void> {
  const { spaceId, roomId, authorIds } = history
  await database.execute(sql`
    with identified as (
      select seq, overlay(overlay(lpad(to_hex(1700000000000 + seq * 1000), 12, '0') || left(md5(${roomId} || seq::text), 20)
        placing '7' from 13) placing 'a' from 17)::uuid as id
      from generate_series(${from}::bigint, ${to}::bigint) as seq
    ), numbered as (
      select seq, id, case when seq % 5 = 1 then lag(id, 7) over (order by seq) end as reply from identified
    )
    insert into messages (tenant_id, channel_id, id, seq, author_id, content, created_at, has_files, has_reactions,
      mention_ids, reference_type, reference_tenant_id, reference_channel_id, reference_message_id)
    select ${spaceId}, ${roomId}, id, seq, (${authorIds}::uuid[])[1 + seq % ${authorIds.length}],
      'Message number ' || seq || ' of a long conversation about nothing much, as most are.',
      to_timestamp(1700000000 + seq), seq % 10 = 3, seq % 5 = 2,
      case when seq % 10 = 4 then (${authorIds}::uuid[])[1:1] end,
      case when reply is not null then 0 end, case when reply is not null then ${spaceId}::uuid end,
      case when reply is not null then ${roomId}::uuid end, reply
    from numbered`)
}

async function insertReactions(database: Database, history: History, { from, to }: Range): Promise<void> {
  const { spaceId, roomId, authorIds } = history
  const reactorIds = authorIds.slice(0, 2)
  await database.execute(sql`
    with reacted as (
      select id, emoji from messages, unnest(array['👍', '🎉']) as emoji
      where tenant_id = ${spaceId} and channel_id = ${roomId} and seq between ${from} and ${to} and has_reactions
    ), counted as (
      insert into reaction_counts (tenant_id, channel_id, message_id, emoji, count)
      select ${spaceId}, ${roomId}, id, emoji, ${reactorIds.length} from reacted
    )
    insert into reactions (tenant_id, channel_id, message_id, emoji, user_id)
    select ${spaceId}, ${roomId}, id, emoji, user_id from reacted, unnest(${reactorIds}::uuid[]) as user_id`)
}

async function insertFiles(database: Database, history: History, { from, to }: Range): Promise<void> {
  const { spaceId, roomId, authorIds } = history
  await database.execute(sql`
    insert into attachments (tenant_id, id, bucket_id, owner_id, purpose, state, channel_id, message_id, filename,
      content_type, size_bytes, width, height)
    select ${spaceId}, gen_random_uuid(), ${spaceId}, (${authorIds}::uuid[])[1], 'message', 'live', ${roomId}, id,
      'A picture.png', 'image/png', 1000, 800, 600
    from messages
    where tenant_id = ${spaceId} and channel_id = ${roomId} and seq between ${from} and ${to} and has_files`)
}
