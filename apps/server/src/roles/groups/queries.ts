import { fragment, type Queryable, sql } from '#src/kernel/sql/sql.ts'

export interface GroupRoleRow {
  id: string
  space_id: string
  role_id: string
  issuer: string
  group_name: string
  set_by: string
  created_at: string
}

const columns = fragment`id, space_id, role_id, issuer, group_name, set_by, created_at`

export async function listGroupRoles(database: Queryable, spaceId: string): Promise<GroupRoleRow[]> {
  return database.query<GroupRoleRow>(sql`
    select ${columns} from group_roles where space_id = ${spaceId} order by created_at, id`)
}

export async function findGroupRole(
  transaction: Queryable,
  spaceId: string,
  id: string,
): Promise<GroupRoleRow | undefined> {
  const [row] = await transaction.query<GroupRoleRow>(sql`
    select ${columns} from group_roles where space_id = ${spaceId} and id = ${id}`)
  return row
}

export type NewGroupRole = Omit<GroupRoleRow, 'created_at'>

/** Saves a group role. If the group already has the role, only the creator changes. */
export async function saveGroupRole(
  transaction: Queryable,
  { id, space_id, role_id, issuer, group_name, set_by }: NewGroupRole,
): Promise<GroupRoleRow> {
  const [row] = await transaction.query<GroupRoleRow>(sql`
    insert into group_roles (space_id, id, role_id, issuer, group_name, set_by, created_at)
    values (${space_id}, ${id}, ${role_id}, ${issuer}, ${group_name}, ${set_by}, clock_timestamp())
    on conflict (space_id, role_id, issuer, md5(group_name)) do update set set_by = excluded.set_by
    returning ${columns}`)
  if (row === undefined) throw new Error('a saved row is missing')
  return row
}

export async function deleteGroupRole(transaction: Queryable, spaceId: string, id: string): Promise<void> {
  await transaction.query(sql`delete from group_roles where space_id = ${spaceId} and id = ${id}`)
}

/** A login in which a provider named a person's groups. `at` is its time by the clock of the database. */
interface GroupsAt {
  userId: string
  issuer: string
  at: string
}

/** Returns the spaces that the person had joined before the login, and that had group roles of the provider by then. */
export async function listSpacesWithGroups(
  database: Queryable,
  { userId, issuer, at }: GroupsAt,
): Promise<string[]> {
  const rows = await database.query<{ space_id: string }>(sql`
    select distinct members.space_id from members
    join group_roles on group_roles.space_id = members.space_id
    where user_id = ${userId} and issuer = ${issuer} and joined_at < ${at}::timestamptz
      and group_roles.created_at < ${at}::timestamptz
    order by members.space_id`)
  return rows.map((row) => row.space_id)
}

/** Returns the space's group roles of the provider that existed at the time of the login. */
export async function listGroupRolesAt(
  database: Queryable,
  spaceId: string,
  { issuer, at }: Pick<GroupsAt, 'issuer' | 'at'>,
): Promise<GroupRoleRow[]> {
  return database.query<GroupRoleRow>(sql`
    select ${columns} from group_roles where space_id = ${spaceId} and issuer = ${issuer} and created_at < ${at}::timestamptz
    order by created_at, id`)
}

/** Returns the spaces in which groups of the provider gave the person roles. */
export async function listSpacesOfGiven(
  database: Queryable,
  userId: string,
  issuer: string,
): Promise<string[]> {
  const rows = await database.query<{ space_id: string }>(sql`
    select distinct space_id from member_roles where user_id = ${userId} and issuer = ${issuer}
    order by space_id`)
  return rows.map((row) => row.space_id)
}

/** Returns the roles of a member that groups of the provider gave. */
export async function listGivenRoles(
  transaction: Queryable,
  { spaceId, userId }: { spaceId: string; userId: string },
  issuer: string,
): Promise<string[]> {
  const rows = await transaction.query<{ role_id: string }>(sql`
    select role_id from member_roles
    where space_id = ${spaceId} and user_id = ${userId} and issuer = ${issuer} order by role_id`)
  return rows.map((row) => row.role_id)
}

/**
 * Returns the member's roles that other providers gave and can still remove: their group role and identity still exist.
 */
export async function listRolesOfOtherProviders(
  transaction: Queryable,
  { spaceId, userId }: { spaceId: string; userId: string },
  issuer: string,
): Promise<ReadonlySet<string>> {
  const rows = await transaction.query<{ role_id: string }>(sql`
    select role_id from member_roles as given
    where space_id = ${spaceId} and user_id = ${userId} and issuer <> ${issuer}
      and exists (select from group_roles
        where space_id = given.space_id and role_id = given.role_id and issuer = given.issuer)
      and exists (select from identities where user_id = given.user_id and issuer = given.issuer)`)
  return new Set(rows.map((row) => row.role_id))
}

/** Records that roles given by another provider's groups now come from this provider. Does not change roles given by people. */
export async function takeOverRoles(
  transaction: Queryable,
  { spaceId, userId, roleIds }: { spaceId: string; userId: string; roleIds: readonly string[] },
  issuer: string,
): Promise<void> {
  await transaction.query(sql`
    update member_roles set issuer = ${issuer}
    where space_id = ${spaceId} and user_id = ${userId} and role_id = any(${roleIds}::uuid[])
      and issuer <> ${issuer}`)
}

/** Notes that a role that was just given comes from groups of the provider. */
export async function noteProvider(
  transaction: Queryable,
  { spaceId, memberId, roleId }: { spaceId: string; memberId: string; roleId: string },
  issuer: string,
): Promise<void> {
  await transaction.query(sql`
    update member_roles set issuer = ${issuer}
    where space_id = ${spaceId} and user_id = ${memberId} and role_id = ${roleId}`)
}

/** Returns true if the identity still belongs to the account, and no later login has named groups. */
export async function isLatestLogin(
  transaction: Queryable,
  { userId, issuer, at }: GroupsAt,
): Promise<boolean> {
  const found = await transaction.query(sql`
    select from identities
    where user_id = ${userId} and issuer = ${issuer} and groups_at = ${at}::timestamptz`)
  return found.length > 0
}

/** Returns true if an identity of the provider is linked, and a login has named its groups. */
export async function hasNewGroups(transaction: Queryable, userId: string, issuer: string): Promise<boolean> {
  const found = await transaction.query(sql`
    select from identities where user_id = ${userId} and issuer = ${issuer} and groups_at is not null`)
  return found.length > 0
}
