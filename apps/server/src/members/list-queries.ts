import { type Queryable, sql } from '#src/kernel/sql/sql.ts'

/** The fields that decide a member's position in the member list. */
export interface PlacedMember {
  user_id: string
  /** Displayed name. */
  name: string
  roles: string[]
}

/** Returns the members among the users, in no particular order. */
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

/** Returns the ids of all members of a space; undefined for a space with more members than the limit. */
export async function listMemberIds(
  database: Queryable,
  spaceId: string,
  max: number,
): Promise<string[] | undefined> {
  const rows = await database.query<{ user_id: string }>(sql`
    select user_id from members where space_id = ${spaceId} order by user_id limit ${max + 1}`)
  return rows.length > max ? undefined : rows.map(({ user_id }) => user_id)
}

/** Counts members by their combination of these roles. Members with none of them are not counted. */
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
