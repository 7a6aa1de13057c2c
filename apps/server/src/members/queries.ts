import { DEFAULT_PAGE } from '@foyer/protocol/limits'
import type { ListMembersQuery, Member, MemberWithUser } from '@foyer/protocol/members'
import { type Query, type Queryable, sql } from '#src/kernel/sql.ts'
import { findUsers } from '#src/users/queries.ts'

type PositionedMember = Member & { position: number }

/** The cursor before the first page: above every position that a role can have. */
const ABOVE_ALL = 2 ** 31 - 1
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** A page of the space's members, by position, highest first, then by id. */
export async function listMembers(
  database: Queryable,
  spaceId: string,
  query: ListMembersQuery,
): Promise<MemberWithUser[]> {
  return withUsers(database, await database.query<PositionedMember>(pageOfMembers(spaceId, query)))
}

/**
 * The rest of the cursor's position and the positions below it are two ranges of the index `members_order`: as one
 * condition they would be a filter over everybody of that position, which is nearly the whole space.
 */
export function pageOfMembers(
  spaceId: string,
  { after_pos = ABOVE_ALL, after_id = LAST_ID, count = DEFAULT_PAGE }: ListMembersQuery,
): Query {
  return sql`
    select user_id as id, space_id, user_id, nickname, joined_at, position,
      array(select role_id from member_roles
        where member_roles.space_id = page.space_id and member_roles.user_id = page.user_id
        order by role_id) as roles
    from (
      select * from (
        select * from members
        where space_id = ${spaceId} and position = ${after_pos} and user_id > ${after_id}
        order by user_id limit ${count}) as rest
      union all
      select * from (
        select * from members
        where space_id = ${spaceId} and position < ${after_pos}
        order by position desc, user_id limit ${count}) as below
    ) as page
    order by position desc, user_id limit ${count}`
}

export async function findMember(
  database: Queryable,
  spaceId: string,
  memberId: string,
): Promise<MemberWithUser | undefined> {
  const members = await database.query<PositionedMember>(sql`
    select user_id as id, space_id, user_id, nickname, joined_at, position,
      array(select role_id from member_roles
        where member_roles.space_id = members.space_id and member_roles.user_id = members.user_id
        order by role_id) as roles
    from members where space_id = ${spaceId} and user_id = ${memberId}`)
  const [member] = await withUsers(database, members)
  return member
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
