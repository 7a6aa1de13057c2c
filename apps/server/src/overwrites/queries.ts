import type { RoomOverwrite } from '@foyer/protocol/roles'
import { type Queryable, sql } from '#src/kernel/sql.ts'

/** Inserts the overwrite, or replaces the one there is for its target. */
export async function saveOverwrite(
  transaction: Queryable,
  spaceId: string,
  overwrite: RoomOverwrite,
): Promise<void> {
  const { room_id, target_id, target_type, allow_flags, deny_flags } = overwrite
  await transaction.query(sql`
    insert into room_overwrites (space_id, room_id, target_id, target_type, allow_flags, deny_flags)
    values (${spaceId}, ${room_id}, ${target_id}, ${target_type}, ${allow_flags}, ${deny_flags})
    on conflict (space_id, room_id, target_id)
    do update set allow_flags = excluded.allow_flags, deny_flags = excluded.deny_flags`)
}

export async function deleteOverwriteRow(
  transaction: Queryable,
  spaceId: string,
  { room_id, target_id }: Pick<RoomOverwrite, 'room_id' | 'target_id'>,
): Promise<void> {
  await transaction.query(sql`
    delete from room_overwrites
    where space_id = ${spaceId} and room_id = ${room_id} and target_id = ${target_id}`)
}
