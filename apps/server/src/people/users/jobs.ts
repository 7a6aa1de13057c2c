import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import type { Database } from '#src/kernel/database/database.ts'
import type { JobTable } from '#src/kernel/jobs.ts'
import { endStatusText } from './actions.ts'
import { END_STATUS_TEXT } from './status-text.ts'

const ToUser = Type.Object({ user_id: Type.String() })

/** Clears status texts at their end. */
export function userJobs({ database }: { database: Database }): JobTable {
  return {
    handlers: {
      [END_STATUS_TEXT]: (payload) => endStatusText(database, Parse(ToUser, payload).user_id),
    },
    schedule: [],
  }
}
