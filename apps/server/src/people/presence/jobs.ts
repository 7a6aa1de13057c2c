import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import type { Database } from '#src/kernel/database/database.ts'
import type { JobTable } from '#src/kernel/jobs.ts'
import { END_STATUS, endStatus } from './actions.ts'

const ToUser = Type.Object({ user_id: Type.String() })

/** Ends chosen statuses at their end. */
export function presenceJobs({ database }: { database: Database }): JobTable {
  return {
    handlers: { [END_STATUS]: (payload) => endStatus(database, Parse(ToUser, payload).user_id) },
    schedule: [],
  }
}
