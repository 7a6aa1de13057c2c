import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import type { Database } from '#src/kernel/database/database.ts'
import type { JobTable } from '#src/kernel/jobs.ts'
import { notifyNextPage } from './actions.ts'

const Payload = Type.Object({
  application_id: Type.String(),
  part: Type.Union([Type.Literal('spaces'), Type.Literal('conversations')]),
  after: Type.String(),
})

/** Notifies a bot's spaces and conversations of its new commands. */
export function commandJobs(deps: { database: Database }): JobTable {
  return {
    handlers: { tell_commands: (payload) => notifyNextPage(deps, Parse(Payload, payload)) },
    schedule: [],
  }
}
