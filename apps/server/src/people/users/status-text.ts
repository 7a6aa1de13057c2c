import type { CurrentUser, UpdateCurrentUserBody } from '@foyer/protocol/users'
import type { Transaction } from '#src/kernel/database/database.ts'
import { futureTime } from '#src/kernel/future-time.ts'
import { enqueueAt } from '#src/kernel/jobs.ts'

/** The job that clears a status text at its end. */
export const END_STATUS_TEXT = 'end_status_text'

type StatusText = Pick<CurrentUser, 'custom' | 'custom_until'>

/**
 * Returns the status text after a change. The end belongs to the text: a new text without an end has none, and an
 * unchanged text keeps it. An expired text is empty.
 */
export function textOf(
  { custom: oldText, custom_until: oldEnd }: StatusText,
  { custom: given, custom_until: givenEnd }: UpdateCurrentUserBody,
): StatusText {
  const custom = given === undefined ? oldText : (given ?? '')
  const end = givenEnd === undefined && custom === oldText ? oldEnd : (givenEnd ?? null)
  const custom_until = futureTime('custom_until', end)
  if (custom === '' || (end !== null && custom_until === null)) return { custom: '', custom_until: null }
  return { custom, custom_until }
}

/** Plans the end of a text. A text that is replaced earlier keeps its job, which then finds nothing to end. */
export async function planTextEnd(
  transaction: Transaction,
  before: StatusText,
  { id, custom_until: runAt }: CurrentUser,
): Promise<void> {
  if (runAt === null || runAt === before.custom_until) return
  await enqueueAt(transaction, END_STATUS_TEXT, { user_id: id }, { runAt, key: `${END_STATUS_TEXT}:${id}` })
}
