import { LEAST_ID } from '@foyer/protocol/ids'
import { type Static, Type } from 'typebox'
import { Parse } from 'typebox/value'
import type { Database } from '#src/kernel/database/database.ts'
import { enqueueJob, type JobContext, type JobTable } from '#src/kernel/jobs.ts'
import { runPaced } from '#src/kernel/pacing.ts'
import { clearNicknames, deleteFollowsOf, deleteReadStates } from './remains-queries.ts'

const Payload = Type.Object({ user_id: Type.String(), after: Type.Optional(Type.String()) })

/** The job that deletes the remaining data of a deleted account, which may be in many rows. */
export const FORGET_ACCOUNT = 'forget_account'

/** Rows, or spaces searched, per statement. */
const BATCH = 1000

export function accountJobs({ database }: { database: Database }): JobTable {
  return {
    handlers: {
      [FORGET_ACCOUNT]: (payload, { abortSignal }: JobContext = {}) =>
        forget(database, Parse(Payload, payload), abortSignal),
    },
    schedule: [],
  }
}

/**
 * Deletes the account's read states and follows, then its nicknames in the audit logs of spaces. An interrupted run
 * continues where it stopped.
 */
async function forget(
  database: Database,
  { user_id, after = LEAST_ID }: Static<typeof Payload>,
  signal?: AbortSignal,
): Promise<void> {
  let hasRead = true
  let last: string | undefined = after
  const isMore = await runPaced(async () => {
    if (hasRead) hasRead = await forgetRead(database, user_id)
    else last = await clearNicknames(database, user_id, { after: last ?? after, limit: BATCH })
    return hasRead || last !== undefined
  }, signal)
  if (isMore)
    await database.transaction((transaction) =>
      enqueueJob(transaction, FORGET_ACCOUNT, { user_id, after: last }),
    )
}

/** @returns true if more may be left */
async function forgetRead(database: Database, userId: string): Promise<boolean> {
  const follows = await deleteFollowsOf(database, userId, BATCH)
  const states = await deleteReadStates(database, userId, BATCH)
  return Math.max(follows, states) === BATCH
}
