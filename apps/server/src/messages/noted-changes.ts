import { fragment } from '#src/kernel/sql/sql.ts'

/**
 * Condition for rows with `tenant_id`, `channel_id` and `seq`: the room is followed, and the message is newer than its
 * earliest follow. Older ones have no copies.
 */
export const isNoted = fragment`exists (
    select from followed_rooms where space_id = tenant_id and room_id = channel_id and noted_after < seq
  )`

/**
 * Notes the rows of a CTE `changed` that may have copies, so that these change as well. In the same transaction: no change
 * is lost, and other rooms pay for one look-up.
 */
export const notedChanges = fragment`
  insert into announcement_changes as known (space_id, room_id, message_id, seq)
  select tenant_id, channel_id, id, seq from changed
  where ${isNoted}
  on conflict (space_id, room_id, message_id) do update
    set version = known.version + 1, attempts = 0, due_at = now()`
