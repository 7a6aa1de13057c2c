import { MAX_OPERATOR_INVITES } from '@foyer/protocol/limits'
import type { OperatorInvite } from '@foyer/protocol/operators'
import { fragment, type Queryable, sql } from '#src/kernel/sql/sql.ts'

const columns = fragment`id, code, note, max_uses, uses, created_by, expires_at, created_at`

export interface NewOperatorInvite
  extends Pick<OperatorInvite, 'id' | 'code' | 'note' | 'max_uses' | 'created_by'> {
  /** Seconds until the invite expires; 0 if it never does. */
  max_age: number
}

export async function insertOperatorInvite(
  transaction: Queryable,
  { id, code, note, max_uses, created_by, max_age }: NewOperatorInvite,
): Promise<OperatorInvite> {
  const [invite] = await transaction.query<OperatorInvite>(sql`
    insert into operator_invites (id, code, note, max_uses, created_by, expires_at)
    values (${id}, ${code}, ${note}, ${max_uses}, ${created_by},
      now() + make_interval(secs => nullif(${max_age}::integer, 0)))
    returning ${columns}`)
  if (invite === undefined) throw new Error('an invite that was just inserted cannot be read')
  return invite
}

/** Lists working invites, newest first. */
export async function listOperatorInvites(database: Queryable): Promise<OperatorInvite[]> {
  return database.query<OperatorInvite>(sql`
    select ${columns} from operator_invites
    where (expires_at is null or expires_at > now()) and (max_uses = 0 or uses < max_uses)
    order by id desc limit ${MAX_OPERATOR_INVITES}`)
}

/** Deletes invites that no longer work, and returns the number of the remaining ones. */
export async function countOperatorInvites(transaction: Queryable): Promise<number> {
  await transaction.query(sql`
    delete from operator_invites where expires_at <= now() or (max_uses > 0 and uses >= max_uses)`)
  const [row] = await transaction.query<{ count: number }>(sql`select count(*) from operator_invites`)
  return row?.count ?? 0
}

export async function deleteOperatorInvite(
  transaction: Queryable,
  inviteId: string,
): Promise<OperatorInvite | undefined> {
  const [invite] = await transaction.query<OperatorInvite>(sql`
    delete from operator_invites where id = ${inviteId} returning ${columns}`)
  return invite
}

/** Returns the id of the working invite with this code. */
export async function findOperatorInvite(database: Queryable, code: string): Promise<string | undefined> {
  const [invite] = await database.query<{ id: string }>(sql`
    select id from operator_invites
    where code = ${code} and (expires_at is null or expires_at > now()) and (max_uses = 0 or uses < max_uses)`)
  return invite?.id
}

/**
 * Counts an account created with the invite.
 * @returns false if the invite is no longer valid
 */
export async function useOperatorInvite(transaction: Queryable, inviteId: string): Promise<boolean> {
  const used = await transaction.query(sql`
    update operator_invites set uses = uses + 1
    where id = ${inviteId} and (expires_at is null or expires_at > now()) and (max_uses = 0 or uses < max_uses)
    returning id`)
  return used.length > 0
}

/** Returns true if the code belongs to a working space invite. The case of letters is ignored for codes chosen as names. */
export async function isSpaceInvite(database: Queryable, code: string): Promise<boolean> {
  const found = await database.query(sql`
    select from invites join spaces on spaces.id = space_id
    where code = any(${[code, code.toLowerCase()]}) and (expires_at is null or expires_at > now())
      and deleted_at is null and frozen_at is null
    limit 1`)
  return found.length > 0
}
