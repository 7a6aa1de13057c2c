import type { Database } from '#src/kernel/database/database.ts'
import { sql } from '#src/kernel/sql/sql.ts'
import type { Source } from './queries.ts'
import { hasTurn, nextTurn, takenTurn } from './turns.ts'

/** A written, edited or deleted message whose copies are not up to date yet. */
export interface ChangeRow {
  message_id: string
  seq: number
  version: number
  attempts: number
}

/** Lease of a process on a room, renewed while it copies. A killed process loses the room after this time. */
const LEASE_SECONDS = 6
/** Maximum attempts to copy a change. The last one is about 17 minutes after the first. */
const MAX_ATTEMPTS = 10

/** Lists rooms with due changes, except the given rooms. Those that have waited longest come first. */
export async function listDueRooms(
  database: Database,
  except: readonly string[],
  limit: number,
): Promise<Source[]> {
  return database.query<{ spaceId: string; roomId: string }>(sql`
    select space_id as "spaceId", room_id as "roomId" from announcement_changes
    where due_at <= now() and room_id <> all(${except}::uuid[])
    group by space_id, room_id order by min(due_at), space_id, room_id limit ${limit}`)
}

/**
 * Takes or renews the lease on the room: only one process copies from a room, so that copies keep the order of the
 * messages.
 * @returns false if another process has the lease
 */
export async function lease(
  database: Database,
  { spaceId, roomId }: Source,
  leaseId: string,
): Promise<boolean> {
  const leased = await database.execute(sql`
    update followed_rooms
    set leased_by = ${leaseId}, leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
    where space_id = ${spaceId} and room_id = ${roomId}
      and (leased_by = ${leaseId} or leased_until is null or leased_until < now())
    returning room_id`)
  return leased.length > 0
}

export async function release(
  database: Database,
  { spaceId, roomId }: Source,
  leaseId: string,
): Promise<void> {
  await database.execute(sql`
    update followed_rooms set leased_by = null, leased_until = null
    where space_id = ${spaceId} and room_id = ${roomId} and leased_by = ${leaseId}`)
}

/** Lists changes that are due, in the order of their messages. */
export async function listDueChanges(
  database: Database,
  { spaceId, roomId }: Source,
  limit: number,
): Promise<ChangeRow[]> {
  return database.query<ChangeRow>(sql`
    select message_id, seq, version, attempts from announcement_changes
    where space_id = ${spaceId} and room_id = ${roomId} and due_at <= now()
    order by seq, message_id limit ${limit}`)
}

/** Deletes the changes, except for messages that have changed again. */
export async function settleChanges(
  database: Database,
  { spaceId, roomId }: Source,
  changes: readonly ChangeRow[],
): Promise<void> {
  if (changes.length === 0) return
  await database.execute(sql`
    delete from announcement_changes as known
    using unnest(${changes.map((change) => change.message_id)}::uuid[],
      ${changes.map((change) => change.version)}::bigint[]) as settled (message_id, version)
    where space_id = ${spaceId} and room_id = ${roomId} and known.message_id = settled.message_id
      and known.version = settled.version`)
}

/** Tries a change again later. @returns false after the last attempt */
export async function postpone(database: Database, source: Source, change: ChangeRow): Promise<boolean> {
  if (change.attempts + 1 >= MAX_ATTEMPTS) {
    await settleChanges(database, source, [change])
    return false
  }
  await database.execute(sql`
    update announcement_changes
    set attempts = attempts + 1, due_at = now() + make_interval(secs => ${2 ** (change.attempts + 1)})
    where space_id = ${source.spaceId} and room_id = ${source.roomId} and message_id = ${change.message_id}
      and version = ${change.version}`)
  return true
}

/** Failed attempts after which a change no longer holds back later changes for a follower. */
const ATTEMPTS_IN_ORDER = 4
const MAX_EARLIER = 50

/** Lists pending changes of earlier messages. A follower that lacks one of these messages gets it before the later message. */
export async function listEarlier(
  database: Database,
  { spaceId, roomId }: Source,
  { seq }: ChangeRow,
): Promise<Pick<ChangeRow, 'message_id' | 'seq'>[]> {
  return database.query<Pick<ChangeRow, 'message_id' | 'seq'>>(sql`
    select message_id, seq from announcement_changes
    where space_id = ${spaceId} and room_id = ${roomId} and seq < ${seq} and attempts < ${ATTEMPTS_IN_ORDER}
    order by seq limit ${MAX_EARLIER}`)
}

/** Postpones the change until all earlier changes are due, but at least for two seconds. */
export async function waitForEarlier(
  database: Database,
  { spaceId, roomId }: Source,
  change: ChangeRow,
): Promise<void> {
  await database.execute(sql`
    update announcement_changes set due_at = (
      select greatest(now() + interval '2 seconds', max(due_at)) from announcement_changes
      where space_id = ${spaceId} and room_id = ${roomId} and seq < ${change.seq}
        and attempts < ${ATTEMPTS_IN_ORDER})
    where space_id = ${spaceId} and room_id = ${roomId} and message_id = ${change.message_id}
      and version = ${change.version}`)
}

/**
 * Counts a message against the room's rate limit, before it is copied.
 * @returns false above the limit; the change is then due when the limit allows the next message
 */
export async function takeTurn(
  database: Database,
  { spaceId, roomId }: Source,
  change: ChangeRow,
): Promise<boolean> {
  const taken = await database.execute(sql`
    update followed_rooms set ${takenTurn}
    where space_id = ${spaceId} and room_id = ${roomId} and ${hasTurn}
    returning room_id`)
  if (taken.length > 0) return true
  await database.execute(sql`
    update announcement_changes set due_at = (
      select ${nextTurn} from followed_rooms
      where followed_rooms.space_id = ${spaceId} and followed_rooms.room_id = ${roomId})
    where space_id = ${spaceId} and room_id = ${roomId} and message_id = ${change.message_id}
      and version = ${change.version}`)
  return false
}
