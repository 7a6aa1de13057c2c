import { LEAST_ID } from '@foyer/protocol/ids'
import type { Database } from '#src/kernel/database/database.ts'
import type { JobTable } from '#src/kernel/jobs.ts'
import { beginAbsences, endAbsences } from './absences.ts'
import { endTemporary } from './actions.ts'
import { listDue, listTemporaryUsers } from './queries.ts'

export interface TemporaryDeps {
  database: Database
  presences: { isConnected: (userId: string) => Promise<boolean | undefined> }
  /** Milliseconds on a steady clock, which measures the age of the process. */
  now?: () => number
}

/** Users checked at a time. Few, so that the checks are still up to date when memberships end. */
const LISTED_AT_ONCE = 100

/** Ends temporary memberships of users who have disconnected. */
export function temporaryMemberJobs(deps: TemporaryDeps): JobTable {
  const { now = () => performance.now() } = deps
  const startedAt = now()
  return {
    handlers: { end_temporary_members: () => endAway(deps, now() - startedAt) },
    schedule: ['* * * * * end_temporary_members'],
  }
}

/** @param runningMs age of the process */
async function endAway({ database, presences }: TemporaryDeps, runningMs: number): Promise<void> {
  for await (const userIds of allTemporaryUsers(database)) {
    const away = await listAway(presences, userIds)
    // Users whose connection is uncertain count as connected.
    await endAbsences(
      database,
      userIds.filter((id) => !away.includes(id)),
    )
    await beginAbsences(database, away, runningMs)
    for (const member of await listDue(database, away)) await endTemporary(database, member)
  }
}

async function listAway(
  presences: TemporaryDeps['presences'],
  userIds: readonly string[],
): Promise<string[]> {
  const answers = await Promise.all(userIds.map((userId) => presences.isConnected(userId)))
  return userIds.filter((_, index) => answers[index] === false)
}

async function* allTemporaryUsers(database: Database) {
  let after = LEAST_ID
  for (;;) {
    const page = await listTemporaryUsers(database, after, LISTED_AT_ONCE)
    if (page.length > 0) yield page
    const last = page.at(-1)
    if (last === undefined || page.length < LISTED_AT_ONCE) return
    after = last
  }
}
