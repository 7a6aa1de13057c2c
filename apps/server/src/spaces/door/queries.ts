import type { Door, DoorCause, WaitingSpace } from '@foyer/protocol/door'
import { MAX_NEWCOMERS } from '@foyer/protocol/limits'
import type { Space } from '@foyer/protocol/spaces'
import { firstIdAt, idTime } from '#src/kernel/ids.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { spaceColumns } from '../queries.ts'

export async function findDoor(database: Queryable, spaceId: string): Promise<Door> {
  const [door] = await database.query<Door>(sql`
    select id as space_id, door_closed_at as closed_at, door_closed_by as closed_by, door_cause as cause,
      raid_sensor as sensor, raid_sensor_joins as sensor_joins,
      (select count(*) from newcomers where newcomers.space_id = id and not has_left and let_in_at is null) as newcomers
    from spaces where id = ${spaceId}`)
  if (door === undefined) throw new Error('a space that is locked cannot be read')
  return door
}

/** Closes the door. @returns undefined if it is closed already */
export async function saveClosed(
  transaction: Queryable,
  spaceId: string,
  { cause, closedBy }: { cause: DoorCause; closedBy: string | null },
): Promise<Space | undefined> {
  const [space] = await transaction.query<Space>(sql`
    update spaces set door_closed_at = now(), door_closed_by = ${closedBy}, door_cause = ${cause}
    where id = ${spaceId} and door_closed_at is null
    returning ${spaceColumns}`)
  return space
}

/** Opens the door. @returns undefined if it is open already */
export async function saveOpen(transaction: Queryable, spaceId: string): Promise<Space | undefined> {
  const [space] = await transaction.query<Space>(sql`
    update spaces set door_closed_at = null, door_closed_by = null, door_cause = null, door_opened_at = now()
    where id = ${spaceId} and door_closed_at is not null
    returning ${spaceColumns}`)
  return space
}

/** A user who joined recently, or arrives at the closed door. */
export interface Joined {
  readonly user_id: string
  readonly joined_at: Date
  readonly is_temporary: boolean
  /** False for a user who arrived at the closed door. */
  readonly was_member: boolean
  readonly has_left: boolean
}

interface JoinedRow extends Omit<Joined, 'joined_at' | 'was_member'> {
  /** Id of the user's first `member_join` entry of the audit log in the requested time. */
  first_id: string
}

/**
 * Lists the users who joined by invites since a time, in milliseconds since 1970, members first. The owner, members
 * with a role, members whom a moderator has let in, and newcomers are left out.
 * @param withLeft also lists users who have left since, if they joined after the door was last opened
 */
export async function listJoined(
  transaction: Queryable,
  spaceId: string,
  { since, withLeft }: { since: number; withLeft: boolean },
): Promise<Joined[]> {
  const rows = await transaction.query<JoinedRow>(sql`
    select joined.user_id, first_id, coalesce(is_temporary, false) as is_temporary,
      member.user_id is null as has_left
    from (
      select distinct on (target_id) target_id as user_id, id as first_id
      from audit_log
      where space_id = ${spaceId} and action = 'member_join' and id >= ${firstIdAt(since)}
      order by target_id, id) as joined
    join spaces as space on space.id = ${spaceId} and space.owner_id <> joined.user_id
    left join members as member on member.space_id = ${spaceId} and member.user_id = joined.user_id
    where not coalesce(was_let_in, false)
      and (member.user_id is not null or (${withLeft}::boolean
        and ('x' || left(replace(first_id::text, '-', ''), 12))::bit(48)::bigint
          >= coalesce(extract(epoch from door_opened_at) * 1000, 0)))
      and not exists (
        select from newcomers where newcomers.space_id = ${spaceId} and newcomers.user_id = joined.user_id)
      and not exists (
        select from member_roles
        where member_roles.space_id = ${spaceId} and member_roles.user_id = joined.user_id)
    order by has_left, first_id limit ${MAX_NEWCOMERS}`)
  return rows.map(({ first_id, ...row }) => ({
    ...row,
    was_member: true,
    joined_at: new Date(idTime(first_id)),
  }))
}

export interface Waiting {
  readonly user_id: string
  readonly waiting_since: string
  readonly has_left: boolean
}

/** Stores users as newcomers. Newcomers who had left wait again. */
export async function insertNewcomers(
  transaction: Queryable,
  spaceId: string,
  joined: readonly Joined[],
): Promise<Waiting[]> {
  return transaction.query<Waiting>(sql`
    insert into newcomers (space_id, user_id, joined_at, is_temporary, was_member, has_left)
    select ${spaceId}, joined.user_id, joined.joined_at, joined.is_temporary, joined.was_member, joined.has_left
    from unnest(
      ${joined.map(({ user_id }) => user_id)}::uuid[], ${joined.map(({ joined_at }) => joined_at)}::timestamptz[],
      ${joined.map(({ is_temporary }) => is_temporary)}::boolean[],
      ${joined.map(({ was_member }) => was_member)}::boolean[], ${joined.map(({ has_left }) => has_left)}::boolean[])
        as joined (user_id, joined_at, is_temporary, was_member, has_left)
    on conflict (space_id, user_id) do update
      set has_left = excluded.has_left, is_temporary = excluded.is_temporary, waiting_since = now()
    returning user_id, waiting_since, has_left`)
}

/** Marks a newcomer as no longer waiting. @returns false for a user who did not wait */
export async function markLeft(transaction: Queryable, spaceId: string, userId: string): Promise<boolean> {
  const left = await transaction.query(sql`
    update newcomers set has_left = true, let_in_at = null
    where space_id = ${spaceId} and user_id = ${userId} and not has_left
    returning user_id`)
  return left.length > 0
}

/** A user who arrives at a space, and the number of newcomers who already wait. */
export interface Arrival {
  readonly isNewcomer: boolean
  readonly isWaiting: boolean
  /** Number of newcomers who wait at this space. */
  readonly waiting: number
  /** Number of spaces at whose doors the user waits. */
  readonly spaces: number
}

export async function findArrival(transaction: Queryable, spaceId: string, userId: string): Promise<Arrival> {
  const [row] = await transaction.query<Arrival>(sql`
    select coalesce(bool_or(user_id = ${userId}), false) as "isNewcomer",
      coalesce(bool_or(user_id = ${userId} and not has_left), false) as "isWaiting",
      count(*) filter (where not has_left) as waiting,
      (select count(*) from newcomers as own where own.user_id = ${userId} and not own.has_left) as spaces
    from newcomers where space_id = ${spaceId}`)
  return row ?? { isNewcomer: false, isWaiting: false, waiting: 0, spaces: 0 }
}

/** Lists the spaces at whose door the user waits. */
export async function listWaitingSpaces(database: Queryable, userId: string): Promise<WaitingSpace[]> {
  return database.query<WaitingSpace>(sql`
    select id, name, description, icon, banner, waiting_since
    from newcomers join spaces on id = space_id
    where user_id = ${userId} and not has_left and deleted_at is null
    order by waiting_since, id`)
}

/** Deletes the newcomers of a deleted space. Returns the ids of those who still waited. */
export async function deleteNewcomersOf(transaction: Queryable, spaceId: string): Promise<string[]> {
  const rows = await transaction.query<{ user_id: string; has_left: boolean }>(sql`
    delete from newcomers where space_id = ${spaceId} returning user_id, has_left`)
  return rows.flatMap(({ user_id, has_left }) => (has_left ? [] : [user_id]))
}
