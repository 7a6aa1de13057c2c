import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import type { Database } from '#src/kernel/database/database.ts'
import type { JobTable } from '#src/kernel/jobs.ts'
import { START_ANNOUNCEMENT, startAnnouncement } from './actions.ts'

const Payload = Type.Object({ announcement_id: Type.String() })

/** Shows announcements at their start. Clients hide them at their end by themselves. */
export function announcementJobs(deps: { database: Database }): JobTable {
  return {
    handlers: {
      [START_ANNOUNCEMENT]: (payload) => startAnnouncement(deps, Parse(Payload, payload).announcement_id),
    },
    schedule: [],
  }
}
