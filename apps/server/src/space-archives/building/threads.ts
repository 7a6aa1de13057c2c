import { RoomType } from '@foyer/protocol/rooms'
import { isFitTitle } from '@foyer/protocol/thread-rooms'
import type { Database } from '#src/kernel/database/database.ts'
import { newId } from '#src/kernel/ids.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { isUniqueViolation } from '#src/kernel/sql/unique-violation.ts'
import type { Archive, PlacedThread } from '../reading/archive.ts'
import { ArchiveError } from '../reading/archive-error.ts'
import { keepBuilding } from './keeping.ts'
import { checkedTime } from './message-rows.ts'
import { newIdOf, type Plan } from './plan.ts'
import { type BuiltPost, insertPosts, plannedPost } from './posts.ts'

/** Maximum threads per transaction. */
const BATCH = 500

interface BuiltThread {
  id: string
  room_id: string
  title: string
  quiet_minutes: number
  created_at: string
  starter_message_id: string | null
  is_closed: boolean
  last_seq: number
  post: BuiltPost | undefined
}

/**
 * Inserts the threads of all rooms, without their messages. Their creator is the user who imports the space: the original
 * creators have no accounts here.
 * @returns the number of threads
 */
export async function buildThreads(
  deps: { database: Database; signal: AbortSignal; config: { spaceImportMessages: number } },
  archive: Archive,
  plan: Plan,
): Promise<number> {
  let batch: BuiltThread[] = []
  for await (const placed of archive.threads()) {
    deps.signal.throwIfAborted()
    batch.push(planned(plan, placed))
    if (plan.threads.size > deps.config.spaceImportMessages) throw new ArchiveError('it has too many threads')
    if (batch.length < BATCH) continue
    await insertBatch(deps.database, plan, batch)
    batch = []
  }
  if (batch.length > 0) await insertBatch(deps.database, plan, batch)
  return plan.threads.size
}

/** @throws ArchiveError for a thread that could not exist on this server */
function planned(plan: Plan, placed: PlacedThread): BuiltThread {
  const { space, rooms, threads, ids } = plan
  const { thread, where } = placed
  const { id: archivedId, room_id, title, quiet_minutes, starter_message_id } = thread
  const room = space.rooms.find(({ id }) => id === room_id)
  if (room?.type !== RoomType.Text && room?.type !== RoomType.Forum)
    throw new ArchiveError(`${where}: its room is no text room or forum of the space`)
  if (threads.has(archivedId) || rooms.has(archivedId))
    throw new ArchiveError(`${where}: its id is used twice`)
  if (!isFitTitle(title)) throw new ArchiveError(`${where}: its title has marks that do not fit into a line`)
  const [id, roomId] = [newId(), newIdOf(rooms, room_id)]
  const last_seq = thread.lost_opening === true ? 1 : 0
  threads.set(archivedId, { id, roomId, lastSeq: last_seq })
  const shared = { id, room_id: roomId, created_at: checkedTime(thread.created_at, where) }
  return {
    ...shared,
    ...{ title, quiet_minutes, is_closed: thread.is_closed === true, last_seq },
    post: plannedPost(plan, placed, shared),
    starter_message_id: starter_message_id === undefined ? null : ids.of(roomId, starter_message_id),
  }
}

async function insertBatch(
  database: Database,
  { spaceId, ownerId }: Plan,
  threads: readonly BuiltThread[],
): Promise<void> {
  const inserting = database.transaction(async (transaction) => {
    await keepBuilding(transaction, spaceId)
    await insertThreads(transaction, { spaceId, ownerId }, threads)
    const posts = threads.flatMap(({ post }) => post ?? [])
    await insertPosts(transaction, spaceId, posts)
  })
  await inserting.catch((error: unknown) => {
    throw isUniqueViolation(error, 'thread_rooms_starter')
      ? new ArchiveError('it has two threads of one message')
      : error
  })
}

async function insertThreads(
  transaction: Queryable,
  { spaceId, ownerId }: Pick<Plan, 'spaceId' | 'ownerId'>,
  threads: readonly BuiltThread[],
): Promise<void> {
  await transaction.query(sql`
    with thread as (
      select * from jsonb_to_recordset(${JSON.stringify(threads)}::jsonb) as thread (
        id uuid, room_id uuid, title text, quiet_minutes integer, created_at timestamptz, starter_message_id uuid,
        is_closed boolean, last_seq bigint)
    ),
    heads as (
      insert into message_heads (tenant_id, channel_id, last_seq) select ${spaceId}, id, last_seq from thread
    )
    insert into thread_rooms (space_id, id, room_id, title, creator_id, starter_message_id, quiet_minutes, is_closed,
      closed_by, active_at, created_at)
    select ${spaceId}, id, room_id, title, ${ownerId}, starter_message_id, quiet_minutes, is_closed,
      case when is_closed then ${ownerId}::uuid end, created_at, created_at
    from thread`)
}
