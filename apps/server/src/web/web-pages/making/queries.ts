import type { Thread } from '@foyer/protocol/thread-rooms'
import { firstIdAt } from '#src/kernel/ids.ts'
import { Fragment, fragment, type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** A message that people without an account may read. */
export interface ReadableMessage {
  readonly id: string
  readonly author_id: string
  /** Null for an author who hides it, or whose account is deleted. */
  readonly author_name: string | null
  readonly content: string
  readonly created_at: string
  readonly edited_at: string | null
  /** The readable message of the same room that it answers. */
  readonly answered_id: string | null
  readonly is_forward: boolean
  readonly stickers: number
  readonly files: readonly ReadableFile[]
}

export interface ReadableFile {
  readonly id: string
  readonly filename: string
  readonly content_type: string
  readonly width: number | null
  readonly height: number | null
}

/** The channel whose messages are read, a room or a thread, and their earliest creation, in milliseconds since 1970. */
export interface Source {
  readonly spaceId: string
  readonly channelId: string
  readonly from: number
}

/**
 * The only condition for messages that can be read without an account, for a `where` on `messages as message` with
 * the author joined: ordinary messages whose authors do not hide from the web. Callers add the time from which the
 * room is readable. Deleted messages have no row.
 */
const readable = fragment`
  message.type = 0 and (author.id is null or author.web_presence < 2) and (author.id is not null or message.webhook_id is not null)`

/** Columns of a readable message. Webhooks have their own names. Authors who are deleted, or hide their names, have none. */
const shownMessage = fragment`
  message.id, message.author_id,
  case when message.webhook_id is not null then message.author_name
    when author.deleted_at is null and author.web_presence = 0
      then coalesce(member.nickname, author.alias, author.username) end as author_name,
  message.content, message.created_at, message.edited_at, message.snapshot is not null as is_forward,
  coalesce(cardinality(message.sticker_ids), 0) as stickers,
  case when message.reference_type = 0 and message.reference_channel_id = message.channel_id
    then message.reference_message_id end as answered_id,
  coalesce((
    select jsonb_agg(jsonb_build_object('id', file.id, 'filename', file.filename, 'content_type', file.content_type,
      'width', file.width, 'height', file.height) order by file.place)
    from attachments as file
    where message.has_files and file.tenant_id = message.tenant_id and file.message_id = message.id
      and file.purpose = 'message' and file.state = 'live'), '[]'::jsonb) as files`

const withAuthor = fragment`
  left join users as author on author.id = message.author_id
  left join members as member on member.space_id = message.tenant_id and member.user_id = message.author_id`

const limits = new Map<number, Fragment>()

/**
 * Returns a limit as a literal in the statement. A generic plan does not know the values of parameters, and would assume that the
 * limit is a tenth of all rows.
 * @param count one of a few constants
 */
function atMost(count: number): Fragment {
  const limit = limits.get(count) ?? new Fragment(`limit ${count}`)
  limits.set(count, limit)
  return limit
}

/** A stretch of a channel's messages, in the order of their ids. */
export interface Stretch {
  /** The first id of the stretch. */
  readonly first: string
  /** The first id after the stretch; null for no end. */
  readonly end: string | null
  /** Maximum messages to examine, readable or not. */
  readonly limit: number
}

export interface FoundStretch {
  /** The first examined message, readable or not. */
  readonly earliest: string | undefined
  readonly messages: ReadableMessage[]
  /** The last examined message, if there may be more after it. */
  readonly last: string | undefined
  /** The authors of all examined messages, including unreadable ones. */
  readonly authors: readonly string[]
}

interface Looked {
  count: number
  earliest: string | null
  last: string | null
  authors: string[]
}

type FoundRow = ReadableMessage & {
  /** Null in all rows but one: repeated in each of them, the authors alone would take longer to read than the messages. */
  looked: Looked | null
  shown_id: string | null
}

const looks = fragment`
  case when row_number() over () = 1 then (
    select jsonb_build_object('count', count(*), 'earliest', (select id from looked order by id limit 1),
      'last', (select id from looked order by id desc limit 1),
      'authors', coalesce(jsonb_agg(distinct author_id), '[]'))
    from looked) end as looked,
  shown.id as shown_id, shown.*`

/** Examines a limited number of messages, oldest first, and returns the readable ones. */
export async function listReadable(
  database: Queryable,
  { spaceId, channelId, from }: Source,
  { first, end, limit }: Stretch,
): Promise<FoundStretch> {
  const rows = await database.query<FoundRow>(sql`
    with looked as materialized (
      select * from messages
      where tenant_id = ${spaceId} and channel_id = ${channelId} and id >= ${first}
        and (${end}::uuid is null or id < ${end}::uuid)
      order by id ${atMost(limit)})
    select ${looks}
    from (select) as once
    left join lateral (
      select ${shownMessage} from looked as message ${withAuthor}
      where ${readable} and message.created_at >= ${new Date(from)}) as shown on true
    order by shown.id`)
  return foundIn(rows, limit)
}

function foundIn(rows: readonly FoundRow[], limit: number): FoundStretch {
  const looked: Partial<Looked> = rows.find((row) => row.looked !== null)?.looked ?? {}
  const { count = 0, earliest, last, authors = [] } = looked
  return {
    earliest: earliest ?? undefined,
    messages: rows.filter(({ shown_id }) => shown_id !== null),
    authors,
    last: count < limit ? undefined : (last ?? undefined),
  }
}

/** Examines a limited number of the newest messages, and returns the readable ones, newest first. */
export async function listNewestReadable(
  database: Queryable,
  { spaceId, channelId, from }: Source,
  { limit, looked }: { limit: number; looked: number },
): Promise<FoundStretch> {
  const rows = await database.query<FoundRow>(sql`
    with looked as materialized (
      select * from messages where tenant_id = ${spaceId} and channel_id = ${channelId}
      order by id desc ${atMost(looked)})
    select ${looks}
    from (select) as once
    left join lateral (
      select ${shownMessage} from looked as message ${withAuthor}
      where ${readable} and message.created_at >= ${new Date(from)}
      order by message.id desc ${atMost(limit)}) as shown on true
    order by shown.id desc`)
  return foundIn(rows, looked)
}

/** Returns which of these messages of the channel may be read. */
export async function listReadableIds(
  database: Queryable,
  { spaceId, channelId, from }: Source,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await database.query<{ id: string }>(sql`
    select message.id from messages as message ${withAuthor}
    where message.tenant_id = ${spaceId} and message.channel_id = ${channelId} and message.id = any(${ids}::uuid[])
      and ${readable} and message.created_at >= ${new Date(from)}`)
  return new Set(rows.map(({ id }) => id))
}

/** Returns a file of a message that may be read. */
export async function findReadableFile(
  database: Queryable,
  { spaceId, channelId, from }: Source,
  { messageId, fileId }: { messageId: string; fileId: string },
): Promise<ReadableFile | undefined> {
  const [row] = await database.query<Pick<ReadableMessage, 'files' | 'is_forward'>>(sql`
    select ${shownMessage} from messages as message ${withAuthor}
    where message.tenant_id = ${spaceId} and message.channel_id = ${channelId} and message.id = ${messageId}
      and ${readable} and message.created_at >= ${new Date(from)}`)
  return row?.is_forward === false ? row.files.find(({ id }) => id === fileId) : undefined
}

const MAX_MONTHS = 240
/** Maximum messages of a month that are examined to find a readable one, beginning with the newest. */
const LOOKED_IN_MONTH = 1000

/** The newest readable message of a month. The month is in its id. */
export interface FoundMonth {
  readonly id: string
  readonly author_id: string
}

/** Returns the newest readable message of each month, newest first. */
export async function listMonths(
  database: Queryable,
  { spaceId, channelId, from }: Source,
): Promise<FoundMonth[]> {
  const first = firstIdAt(from)
  return database.query<FoundMonth>(sql`
    with recursive found as (
      (select id from messages where tenant_id = ${spaceId} and channel_id = ${channelId} and id >= ${first}
        order by id desc limit 1)
      union all
      select earlier.id from found
      cross join lateral (
        select date_trunc('month', uuid_extract_timestamp(found.id) at time zone 'UTC') at time zone 'UTC' as start) as month
      cross join lateral (
        select id from messages where tenant_id = ${spaceId} and channel_id = ${channelId} and id >= ${first}
          and id < (lpad(to_hex((extract(epoch from month.start) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid
        order by id desc limit 1) as earlier)
    select newest.id, newest.author_id
    from (select id from found ${atMost(MAX_MONTHS)}) as month
    cross join lateral (
      select message.id, message.author_id
      from (
        select * from messages where tenant_id = ${spaceId} and channel_id = ${channelId} and id >= ${first} and id <= month.id
          and id >= (lpad(to_hex((extract(epoch from
            date_trunc('month', uuid_extract_timestamp(month.id) at time zone 'UTC') at time zone 'UTC') * 1000)::bigint), 12, '0')
            || '70008000000000000000')::uuid
        order by id desc ${atMost(LOOKED_IN_MONTH)}) as message ${withAuthor}
      where ${readable} and message.created_at >= ${new Date(from)}
      order by message.id desc limit 1) as newest
    order by newest.id desc`)
}

export type ListedThread = Pick<Thread, 'id' | 'title' | 'creator_id' | 'created_at'> & {
  /** Tags of a post, including deleted tags; null outside of forums. */
  readonly tag_ids: readonly string[] | null
  readonly is_solved: boolean
  /** The author of the answer, even if the answer may not be read; null without an answer. */
  readonly answer_author_id: string | null
}

/** Returns threads whose titles may be read, newest first. */
export async function listReadableThreads(
  database: Queryable,
  { spaceId, roomId, from }: { spaceId: string; roomId: string; from: number },
  { before, limit }: { before: string | null; limit: number },
): Promise<ListedThread[]> {
  return database.query<ListedThread>(sql`
    select thread.id, title, creator_id, thread.created_at, post.tag_ids,
      coalesce(answer.is_readable, false) as is_solved, answer.author_id as answer_author_id
    from thread_rooms as thread
    left join posts as post on post.space_id = thread.space_id and post.id = thread.id
    left join users as creator on creator.id = creator_id
    left join lateral (
      select message.author_id, ${readable} and message.created_at >= ${new Date(from)} as is_readable
      from messages as message ${withAuthor}
      where message.tenant_id = thread.space_id and message.channel_id = thread.id and message.id = post.solved_message_id
    ) as answer on true
    where thread.space_id = ${spaceId} and thread.room_id = ${roomId} and (${before}::uuid is null or thread.id < ${before}::uuid)
      and thread.id >= ${firstIdAt(from)} and thread.created_at >= ${new Date(from)} and coalesce(creator.web_presence, 2) < 2
    order by thread.id desc ${atMost(limit)}`)
}

/**
 * Returns true for a thread that began after its room was opened to the web, and whose creator, who wrote the title,
 * does not hide from the web.
 */
export async function isReadableThread(
  database: Queryable,
  { spaceId, roomId, from }: { spaceId: string; roomId: string; from: number },
  threadId: string,
): Promise<boolean> {
  const rows = await database.query(sql`
    select from thread_rooms as thread join users as creator on creator.id = creator_id
    where space_id = ${spaceId} and room_id = ${roomId} and thread.id = ${threadId}
      and thread.created_at >= ${new Date(from)} and creator.web_presence < 2`)
  return rows.length > 0
}

/** Returns the names of users who show theirs on the web. Other users are left out. */
export async function listShownNames(
  database: Queryable,
  spaceId: string,
  userIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (userIds.length === 0) return new Map()
  const rows = await database.query<{ id: string; name: string }>(sql`
    select users.id, coalesce(nickname, alias, username) as name
    from users join members on space_id = ${spaceId} and user_id = users.id
    where users.id = any(${userIds}::uuid[]) and web_presence = 0 and deleted_at is null`)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
