import { fragment } from '../sql/sql.ts'

/** True for a row of `users` that operators did not lock. A locked account's bots are locked, too. */
export const isUnlocked = fragment`
  locked_at is null and not (is_bot and exists (
    select from applications join users as owner on owner.id = owner_id
    where applications.id = users.id and owner.locked_at is not null))`
