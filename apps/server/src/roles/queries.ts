import type { Role } from '@foyer/protocol/roles'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { roleColumns } from '#src/spaces/queries.ts'
import type { RoleFields } from './order.ts'

/** A role of a member, held or to be assigned. */
export interface Assignment {
  spaceId: string
  memberId: string
  roleId: string
}

/**
 * Inserts or updates roles. Returns them as stored, lowest first.
 * @param updatedId the role that the user changed; the others only moved
 */
export async function saveRoles(
  transaction: Queryable,
  roles: readonly RoleFields[],
  updatedId: string | null,
): Promise<Role[]> {
  return transaction.query<Role>(sql`
    with saved as (
      insert into roles
        (space_id, id, name, permissions, capabilities, color_from, color_via, color_to, hoisted, position)
      select * from unnest(
        ${roles.map((role) => role.space_id)}::uuid[],
        ${roles.map((role) => role.id)}::uuid[],
        ${roles.map((role) => role.name)}::text[],
        ${roles.map((role) => role.permissions)}::integer[],
        ${roles.map((role) => role.capabilities)}::integer[],
        ${roles.map((role) => role.color_from)}::integer[],
        ${roles.map((role) => role.color_via)}::integer[],
        ${roles.map((role) => role.color_to)}::integer[],
        ${roles.map((role) => role.hoisted)}::boolean[],
        ${roles.map((role) => role.position)}::integer[])
      on conflict (space_id, id) do update set name = excluded.name, permissions = excluded.permissions,
        capabilities = excluded.capabilities,
        color_from = excluded.color_from, color_via = excluded.color_via, color_to = excluded.color_to,
        hoisted = excluded.hoisted, position = excluded.position,
        updated_at = case when roles.id = ${updatedId}::uuid then now() else roles.updated_at end
      returning *
    )
    select ${roleColumns} from saved order by position, id`)
}

/** Deletes the role, and removes it from its members. */
export async function deleteRoleRow(transaction: Queryable, spaceId: string, roleId: string): Promise<void> {
  await transaction.query(sql`delete from roles where space_id = ${spaceId} and id = ${roleId}`)
}

/** @returns false if the member has the role already */
export async function insertMemberRole(transaction: Queryable, assignment: Assignment): Promise<boolean> {
  const { spaceId, memberId, roleId } = assignment
  const inserted = await transaction.query(sql`
    with kept as (
      -- A role makes a temporary member a lasting one.
      update members set is_temporary = false, away_since = null
      where space_id = ${spaceId} and user_id = ${memberId} and is_temporary
    )
    insert into member_roles (space_id, user_id, role_id) values (${spaceId}, ${memberId}, ${roleId})
    on conflict do nothing
    returning role_id`)
  return inserted.length > 0
}

/** @returns false if the member does not have the role */
export async function deleteMemberRole(transaction: Queryable, assignment: Assignment): Promise<boolean> {
  const { spaceId, memberId, roleId } = assignment
  const deleted = await transaction.query(sql`
    delete from member_roles where space_id = ${spaceId} and user_id = ${memberId} and role_id = ${roleId}
    returning role_id`)
  return deleted.length > 0
}

/** Recomputes one member's highest role. */
export async function mendTopRole(
  transaction: Queryable,
  { spaceId, memberId }: Pick<Assignment, 'spaceId' | 'memberId'>,
): Promise<void> {
  await transaction.query(sql`
    update members set top_role_id = highest.role_id
    from (select (
      select role_id from member_roles
      join roles on roles.space_id = member_roles.space_id and roles.id = role_id
      where member_roles.space_id = ${spaceId} and member_roles.user_id = ${memberId}
      order by roles.position desc limit 1) as role_id) as highest
    where members.space_id = ${spaceId} and members.user_id = ${memberId}
      and top_role_id is distinct from highest.role_id`)
}

/** Recomputes the highest role of members whose highest was this role, after it was deleted or moved down. */
export async function lowerTopRoles(transaction: Queryable, spaceId: string, roleId: string): Promise<void> {
  await transaction.query(sql`
    update members set top_role_id = highest.role_id
    from (
      select user_id, (
        select role_id from member_roles
        join roles on roles.space_id = member_roles.space_id and roles.id = role_id
        where member_roles.space_id = had.space_id and member_roles.user_id = had.user_id
        order by roles.position desc limit 1) as role_id
      from members as had where space_id = ${spaceId} and coalesce(top_role_id, space_id) = ${roleId}
    ) as highest
    where members.space_id = ${spaceId} and members.user_id = highest.user_id
      and top_role_id is distinct from highest.role_id`)
}

/**
 * Updates the highest role of members after a role has moved up: a member with this role gets it as the highest role, if
 * the highest role so far is one of `passed`.
 * @param passed the roles that the role moved above
 */
export async function raiseTopRoles(
  transaction: Queryable,
  { space_id, id }: Pick<Role, 'space_id' | 'id'>,
  passed: readonly string[],
): Promise<void> {
  await transaction.query(sql`
    update members set top_role_id = ${id}
    where space_id = ${space_id} and coalesce(top_role_id, space_id) = any(${passed}::uuid[])
      and user_id in (select user_id from member_roles where space_id = ${space_id} and role_id = ${id})`)
}
