import type { Space } from '@foyer/protocol/spaces'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { spaceColumns } from './queries.ts'

/**
 * Locks the space until the transaction ends, so that counting members or invites and checking the owner happen one
 * transaction at a time. Inserting messages and foreign keys do not wait for it.
 * @returns undefined for a deleted space
 */
export async function lockSpace(transaction: Queryable, spaceId: string): Promise<Space | undefined> {
  const [space] = await transaction.query<Space>(sql`
    select ${spaceColumns}
    from spaces where id = ${spaceId} and deleted_at is null
    for no key update`)
  return space
}

/**
 * Locks the space against changes until the transaction ends. Other transactions may hold this shared lock at the same time.
 */
export async function keepSpace(transaction: Queryable, spaceId: string): Promise<Space | undefined> {
  const [space] = await transaction.query<Space>(sql`
    select ${spaceColumns}
    from spaces where id = ${spaceId} and deleted_at is null
    for share`)
  return space
}

/**
 * Inserts and counts the member. Returns false for an existing member, and for a deleted account. Messages sent before count
 * as read.
 */
export async function insertMember(
  transaction: Queryable,
  spaceId: string,
  userId: string,
  isTemporary = false,
): Promise<boolean> {
  const counted = await transaction.query(sql`
    with member as (
      insert into members (space_id, user_id, username_key, alias_key, is_temporary, timeout_until)
      -- Locked, so that an account being deleted gains no membership meanwhile, and its spaces can be counted.
      select ${spaceId}, id, username, alias_key, ${isTemporary},
        (select until from timeouts where space_id = ${spaceId} and timeouts.user_id = users.id)
      from users where id = ${userId} and deleted_at is null for no key update
      on conflict do nothing
      returning space_id
    ), appeal as (
      -- The accepted one against a ban that has ended.
      delete from appeals where space_id = ${spaceId} and user_id = ${userId}
    ), read as (
      insert into read_states (user_id, tenant_id, channel_id, last_read_seq)
      select ${userId}, tenant_id, channel_id, last_seq
      from rooms join message_heads on tenant_id = rooms.space_id and channel_id = rooms.id
      where rooms.space_id in (select space_id from member)
      on conflict (user_id, channel_id) do update set last_read_seq = excluded.last_read_seq
    )
    update spaces set member_count = member_count + 1
    where id in (select space_id from member)
    returning id`)
  return counted.length > 0
}

/** Makes a temporary membership permanent. */
export async function keepMember(transaction: Queryable, spaceId: string, userId: string): Promise<void> {
  await transaction.query(sql`
    update members set is_temporary = false, away_since = null
    where space_id = ${spaceId} and user_id = ${userId} and is_temporary`)
}

/** Ends the user's timeout, if there is one. */
export async function endTimeout(transaction: Queryable, spaceId: string, userId: string): Promise<void> {
  await transaction.query(sql`
    with member as (
      update members set timeout_until = null where space_id = ${spaceId} and user_id = ${userId}
    )
    delete from timeouts where space_id = ${spaceId} and user_id = ${userId}`)
}

/** Counts the user's spaces. After `insertMember` or `insertSpace`, which lock the user, the number cannot grow. */
export async function countSpacesOf(transaction: Queryable, userId: string): Promise<number> {
  const [row] = await transaction.query<{ count: number }>(sql`
    select count(*) from members join spaces on id = space_id
    where user_id = ${userId} and deleted_at is null`)
  return row?.count ?? 0
}

/**
 * Deletes the users' memberships of the space, with their roles and settings. Returns the ids of the removed members and the
 * number of members left; undefined if no user was a member.
 */
export async function deleteMembers(
  transaction: Queryable,
  spaceId: string,
  userIds: readonly string[],
): Promise<{ user_ids: string[]; member_count: number } | undefined> {
  const [left] = await transaction.query<{ user_ids: string[]; member_count: number }>(sql`
    with member as (
      delete from members where space_id = ${spaceId} and user_id = any(${userIds})
      returning space_id, user_id
    ), setting as (
      delete from notification_settings where tenant_id = ${spaceId} and user_id = any(${userIds})
    ), follow as (
      delete from thread_follows where space_id = ${spaceId} and user_id = any(${userIds})
    )
    update spaces set member_count = member_count - (select count(*) from member)
    where id in (select space_id from member)
    returning member_count, array(select user_id from member order by user_id) as user_ids`)
  return left
}

export interface TargetInRoom {
  readonly room_id: string
  readonly target_id: string
}

/** Deletes the overwrites of members or roles in all rooms. Returns the room and the target of each. */
export async function deleteOverwritesOf(
  transaction: Queryable,
  spaceId: string,
  targetIds: readonly string[],
): Promise<TargetInRoom[]> {
  return transaction.query<TargetInRoom>(sql`
    with gone as (
      -- A look into the primary key for each room, of which there are at most 500, and target: overwrites have no index
      -- by target.
      delete from room_overwrites using rooms
      where rooms.space_id = ${spaceId} and room_overwrites.space_id = rooms.space_id
        and room_id = rooms.id and target_id = any(${targetIds})
      returning room_id, target_id
    )
    select room_id, target_id from gone order by target_id, room_id`)
}

/** Returns true for banned users. Under `lockSpace` the answer holds until the transaction ends. */
export async function isBanned(transaction: Queryable, spaceId: string, userId: string): Promise<boolean> {
  const [ban] = await transaction.query(
    sql`select from bans where space_id = ${spaceId} and user_id = ${userId}`,
  )
  return ban !== undefined
}
