import type { Role } from '@foyer/protocol/roles'
import { type Queryable, sql } from '#src/kernel/sql.ts'
import type { RoleFields } from './order.ts'

/** A member's role, which they have or are to have. */
export interface Assignment {
  spaceId: string
  memberId: string
  roleId: string
}

/**
 * Saves roles, new ones among them, and returns them as they are then, from the lowest up.
 * @param updatedId the role that somebody changed; the others only made room for it
 */
export async function saveRoles(
  transaction: Queryable,
  roles: readonly RoleFields[],
  updatedId: string | null,
): Promise<Role[]> {
  return transaction.query<Role>(sql`
    with saved as (
      insert into roles (space_id, id, name, permissions, color_from, color_via, color_to, hoisted, position)
      select * from unnest(
        ${roles.map((role) => role.space_id)}::uuid[],
        ${roles.map((role) => role.id)}::uuid[],
        ${roles.map((role) => role.name)}::text[],
        ${roles.map((role) => role.permissions)}::integer[],
        ${roles.map((role) => role.color_from)}::integer[],
        ${roles.map((role) => role.color_via)}::integer[],
        ${roles.map((role) => role.color_to)}::integer[],
        ${roles.map((role) => role.hoisted)}::boolean[],
        ${roles.map((role) => role.position)}::integer[])
      on conflict (space_id, id) do update set name = excluded.name, permissions = excluded.permissions,
        color_from = excluded.color_from, color_via = excluded.color_via, color_to = excluded.color_to,
        hoisted = excluded.hoisted, position = excluded.position,
        updated_at = case when roles.id = ${updatedId}::uuid then now() else roles.updated_at end
      returning *
    )
    select space_id, id, name, permissions, color_from, color_via, color_to, hoisted, position, created_at, updated_at
    from saved order by position, id`)
}

/** Deletes the role: whoever had it has it no more. */
export async function deleteRoleRow(transaction: Queryable, spaceId: string, roleId: string): Promise<void> {
  await transaction.query(sql`delete from roles where space_id = ${spaceId} and id = ${roleId}`)
}

/** @returns false for who has the role already */
export async function insertMemberRole(transaction: Queryable, assignment: Assignment): Promise<boolean> {
  const { spaceId, memberId, roleId } = assignment
  const inserted = await transaction.query(sql`
    insert into member_roles (space_id, user_id, role_id) values (${spaceId}, ${memberId}, ${roleId})
    on conflict do nothing
    returning role_id`)
  return inserted.length > 0
}

/** @returns false for who does not have the role */
export async function deleteMemberRole(transaction: Queryable, assignment: Assignment): Promise<boolean> {
  const { spaceId, memberId, roleId } = assignment
  const deleted = await transaction.query(sql`
    delete from member_roles where space_id = ${spaceId} and user_id = ${memberId} and role_id = ${roleId}
    returning role_id`)
  return deleted.length > 0
}

/** Finds the highest role of one member anew. */
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

/** Finds the highest role anew of all whose highest was this one, which is gone or has moved down. */
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
 * Makes a role that has moved up the highest of all who have it and whose highest it has passed.
 * @param passed the roles that are below it now, and were not before
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
