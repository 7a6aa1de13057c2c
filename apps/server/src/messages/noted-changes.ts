import { fragment } from '#src/kernel/sql/sql.ts'

/**
 * Condition for rows with `tenant_id`, `channel_id` and `seq`: the room is followed, and the message is newer than
 * the room's earliest follow. Older messages have no copies.
 */
export const isNoted = fragment`exists (
    select from followed_rooms where space_id = tenant_id and room_id = channel_id and noted_after < seq
  )`

/**
 * Notes the rows of a CTE `changed` that may have copies, so that the copies change as well. It runs in the same
 * transaction, so that no change is lost. Rooms without followers only pay for one look-up.
 */
export const notedChanges = fragment`
  insert into announcement_changes as known (space_id, room_id, message_id, seq)
  select tenant_id, channel_id, id, seq from changed
  where ${isNoted}
  on conflict (space_id, room_id, message_id) do update
    set version = known.version + 1, attempts = 0, due_at = now()`
