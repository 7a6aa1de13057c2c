import { RESTORABLE_DAYS } from '@foyer/protocol/limits'
import type { Space } from '@foyer/protocol/spaces'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { spaceColumns } from './queries.ts'

/** Marks the space deleted, and deletes its members' notification settings, which READY would otherwise still send. */
export async function markSpaceDeleted(transaction: Queryable, spaceId: string): Promise<void> {
  await transaction.query(sql`
    with settings as (
      delete from notification_settings where tenant_id = ${spaceId}
    )
    update spaces set deleted_at = now(),
      restorable_until = now() + make_interval(days => ${RESTORABLE_DAYS}::integer)
    where id = ${spaceId}`)
}

/** Locks a deleted space that can still be brought back. */
export async function lockRestorable(transaction: Queryable, spaceId: string): Promise<Space | undefined> {
  const [space] = await transaction.query<Space>(sql`
    select ${spaceColumns} from spaces
    where id = ${spaceId} and deleted_at is not null and restorable_until is not null and purge_begun_at is null
    for no key update`)
  return space
}

/** Locks a space that exists or can be brought back. */
export async function lockKept(transaction: Queryable, spaceId: string): Promise<Space | undefined> {
  const [space] = await transaction.query<Space>(sql`
    select ${spaceColumns} from spaces
    where id = ${spaceId} and purge_begun_at is null and (deleted_at is null or restorable_until is not null)
    for no key update`)
  return space
}

/** Puts a legal hold on the space, or ends it with null. Returns false if nothing changed. */
export async function saveHold(
  transaction: Queryable,
  spaceId: string,
  hold: { reason: string | null } | null,
): Promise<boolean> {
  const isHeld = hold !== null
  const changed = await transaction.query(sql`
    update spaces set held_at = case when ${isHeld}::boolean then now() end, hold_reason = ${hold?.reason ?? null}
    where id = ${spaceId} and (held_at is not null) <> ${isHeld}::boolean
    returning id`)
  return changed.length > 0
}

/** Undoes `markSpaceDeleted`, except that the notification settings stay deleted. */
export async function markSpaceRestored(
  transaction: Queryable,
  { id, owner_id }: Pick<Space, 'id' | 'owner_id'>,
): Promise<Space | undefined> {
  const [space] = await transaction.query<Space>(sql`
    update spaces set deleted_at = null, restorable_until = null, owner_id = ${owner_id}, updated_at = now()
    where id = ${id}
    returning ${spaceColumns}`)
  return space
}

/** Lists a page of the space's members, in the order of their ids. */
export async function listMemberIds(
  database: Queryable,
  spaceId: string,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await database.query<{ user_id: string }>(sql`
    select user_id from members where space_id = ${spaceId} and user_id > ${after}
    order by user_id limit ${limit}`)
  return rows.map(({ user_id }) => user_id)
}
