import { LEAST_ID } from '@foyer/protocol/ids'
import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import type { Database } from '#src/kernel/database/database.ts'
import type { JobTable } from '#src/kernel/jobs.ts'
import { ANNOUNCE_SPACE, announceSpace } from './actions/restoring.ts'

const Payload = Type.Object({ space_id: Type.String(), after: Type.Optional(Type.String()) })

/** Jobs that announce restored spaces to their members. */
export function spaceJobs({ database }: { database: Database }): JobTable {
  return {
    handlers: {
      [ANNOUNCE_SPACE]: (payload) => {
        const { space_id, after = LEAST_ID } = Parse(Payload, payload)
        return announceSpace(database, space_id, after)
      },
    },
    schedule: [],
  }
}
