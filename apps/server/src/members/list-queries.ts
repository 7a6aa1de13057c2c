import { type Queryable, sql } from '#src/kernel/sql.ts'

/** What places a member in the list of members. */
export interface PlacedMember {
  user_id: string
  /** The one that is shown. */
  name: string
  roles: string[]
}

/** Those of the users who are members, in no order. */
export async function listPlaced(
  database: Queryable,
  spaceId: string,
  userIds: readonly string[],
): Promise<PlacedMember[]> {
  return database.query<PlacedMember>(sql`
    select user_id, coalesce(nickname, alias, username) as name,
      array(select role_id from member_roles
        where member_roles.space_id = members.space_id and member_roles.user_id = members.user_id
        order by role_id) as roles
    from members join users on users.id = user_id
    where space_id = ${spaceId} and user_id = any(${userIds})`)
}

/** Of a space that has no more than that; undefined for a larger one. */
export async function listMemberIds(
  database: Queryable,
  spaceId: string,
  max: number,
): Promise<string[] | undefined> {
  const rows = await database.query<{ user_id: string }>(sql`
    select user_id from members where space_id = ${spaceId} order by user_id limit ${max + 1}`)
  return rows.length > max ? undefined : rows.map(({ user_id }) => user_id)
}

/** How many members have which of these roles, and no others of them; who has none of them is not counted. */
export async function countByRoles(
  database: Queryable,
  spaceId: string,
  roleIds: readonly string[],
): Promise<{ roles: string[]; members: number }[]> {
  return database.query<{ roles: string[]; members: number }>(sql`
    select roles, count(*)::integer as members from (
      select array_agg(role_id order by role_id) as roles from member_roles
      where space_id = ${spaceId} and role_id = any(${roleIds})
      group by user_id) as held
    group by roles order by roles`)
}

export async function findMemberCount(database: Queryable, spaceId: string): Promise<number> {
  const [space] = await database.query<{ member_count: number }>(
    sql`select member_count from spaces where id = ${spaceId}`,
  )
  return space?.member_count ?? 0
}
