import { GREATEST_ID, LEAST_ID } from '@foyer/protocol/ids'
import { DEFAULT_PAGE } from '@foyer/protocol/limits'
import type { ListMembersQuery, Member, MemberWithUser } from '@foyer/protocol/members'
import { foldName } from '@foyer/protocol/words'
import { type Query, type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { findUsers } from '#src/people/users/queries.ts'

type PositionedMember = Member & { position: number }

/** Cursor before the first page: above every possible position of a role. */
const ABOVE_ALL = 2 ** 31 - 1

/** Lists a page of members by position of their highest role, highest first, then by id. */
export async function listMembers(
  database: Queryable,
  spaceId: string,
  query: ListMembersQuery,
): Promise<MemberWithUser[]> {
  const after_pos = query.after_pos ?? (await positionAfter(database, spaceId, query.after_id))
  return withUsers(
    database,
    await database.query<PositionedMember>(pageOfMembers(spaceId, { ...query, after_pos })),
  )
}

/**
 * Returns the position of the member's highest role, where the next page continues. A user who left counts as having no roles.
 */
async function positionAfter(database: Queryable, spaceId: string, id: string | undefined): Promise<number> {
  if (id === undefined) return ABOVE_ALL
  const [member] = await database.query<{ position: number }>(sql`
    select roles.position from members join roles on roles.space_id = members.space_id and roles.id = top_role_id
    where members.space_id = ${spaceId} and user_id = ${id}`)
  return member?.position ?? 0
}

/**
 * Selects a page of members. Goes down the roles from the cursor, and takes the members whose highest role is that role,
 * until the page is full: one index lookup per role and member, independent of planner estimates. The condition on the role
 * is a range, which only the index `members_by_top_role` serves: for an equality, the planner may scan the whole space by
 * user.
 */
export function pageOfMembers(
  spaceId: string,
  { after_pos = ABOVE_ALL, after_id = GREATEST_ID, count = DEFAULT_PAGE }: ListMembersQuery,
): Query {
  return sql`
    with recursive ladder as materialized (
      select array_agg(id order by position desc) as role_ids, array_agg(position order by position desc) as positions
      from roles where space_id = ${spaceId} and position <= ${after_pos}
    ), walk as (
      select 0 as step, ${count}::integer as wanted, array[]::members[] as found
      union all
      select step + 1, wanted - cardinality(found), array(
        select members from members
        where space_id = ${spaceId} and coalesce(top_role_id, space_id) <= role_ids[step + 1]
          and (coalesce(top_role_id, space_id), user_id) >
            (role_ids[step + 1], case when positions[step + 1] = ${after_pos} then ${after_id} else ${LEAST_ID} end::uuid)
        order by coalesce(top_role_id, space_id), user_id limit wanted - cardinality(found))
      from walk cross join ladder
      where wanted > cardinality(found) and step < cardinality(role_ids)
    )
    select user_id as id, space_id, user_id, nickname, joined_at, timeout_until, positions[step] as position,
      array(select role_id from member_roles
        where member_roles.space_id = member.space_id and member_roles.user_id = member.user_id
        order by role_id) as roles
    from walk cross join ladder cross join unnest(found) as member
    order by step, user_id`
}

export async function findMember(
  database: Queryable,
  spaceId: string,
  memberId: string,
): Promise<MemberWithUser | undefined> {
  const [member] = await listMembersById(database, spaceId, [memberId])
  return member
}

/** Returns the members among the users, in no particular order. */
export async function listMembersById(
  database: Queryable,
  spaceId: string,
  userIds: readonly string[],
): Promise<MemberWithUser[]> {
  const members = await database.query<PositionedMember>(sql`
    select user_id as id, space_id, user_id, nickname, joined_at, timeout_until,
      coalesce((select position from roles where roles.space_id = members.space_id and id = top_role_id), 0) as position,
      array(select role_id from member_roles
        where member_roles.space_id = members.space_id and member_roles.user_id = members.user_id
        order by role_id) as roles
    from members where space_id = ${spaceId} and user_id = any(${userIds})`)
  return withUsers(database, members)
}

/** Last character of Unicode. A prefix followed by it sorts after all names that begin with the prefix. */
const LAST_LETTER = '\u{10ffff}'

/** Returns the first members with a name that begins with the prefix, in the order of that name. */
export async function searchMembers(
  database: Queryable,
  spaceId: string,
  prefix: string,
  limit: number,
): Promise<MemberWithUser[]> {
  const [first, last] = [foldName(prefix), `${foldName(prefix)}${LAST_LETTER}`]
  const rows = await database.query<{ user_id: string }>(sql`
    select user_id from (
      (select username_key as name, user_id from members
        where space_id = ${spaceId} and username_key >= ${first} and username_key < ${last}
        order by username_key, user_id limit ${limit})
      union all
      (select alias_key, user_id from members
        where space_id = ${spaceId} and alias_key >= ${first} and alias_key < ${last}
        order by alias_key, user_id limit ${limit})
      union all
      (select nickname_key, user_id from members
        where space_id = ${spaceId} and nickname_key >= ${first} and nickname_key < ${last}
        order by nickname_key, user_id limit ${limit})) as found
    group by user_id order by min(name), user_id limit ${limit}`)
  const userIds = rows.map(({ user_id }) => user_id)
  const members = await listMembersById(database, spaceId, userIds)
  const byId = new Map(members.map((member) => [member.user_id, member]))
  return userIds.flatMap((id) => byId.get(id) ?? [])
}

export async function saveNickname(transaction: Queryable, member: Member): Promise<void> {
  await transaction.query(sql`
    update members set nickname = ${member.nickname}, nickname_key = ${member.nickname && foldName(member.nickname)}
    where space_id = ${member.space_id} and user_id = ${member.user_id}`)
}

async function withUsers(
  database: Queryable,
  members: readonly PositionedMember[],
): Promise<MemberWithUser[]> {
  const users = await findUsers(
    database,
    members.map((member) => member.user_id),
  )
  const userById = new Map(users.map((user) => [user.id, user]))
  return members.flatMap((member) => {
    const user = userById.get(member.user_id)
    return user ? [{ ...member, user }] : []
  })
}
