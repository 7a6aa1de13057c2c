import { fragment } from '#src/kernel/sql/sql.ts'

// At most 30 messages are copied in ten minutes. The column `copied_at` has the times of the latest copies.

/** Adds the current time to `copied_at`, for one more message. */
export const takenTurn = fragment`copied_at = array(
    select at from unnest(copied_at) as at where at > now() - interval '10 minutes' order by at
  ) || now()::timestamptz(3)`

/** True if one more message may be copied. */
export const hasTurn = fragment`(
    select count(*) from unnest(copied_at) as at where at > now() - interval '10 minutes'
  ) < 30`

/** The time from which one more message may be copied, if none may now. */
export const nextTurn = fragment`(
    select min(at) + interval '10 minutes' from unnest(copied_at) as at where at > now() - interval '10 minutes'
  )`
