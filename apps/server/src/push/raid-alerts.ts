import { type Static, Type } from 'typebox'
import { Parse } from 'typebox/value'
import type { Database } from '#src/kernel/database/database.ts'
import type { JobTable } from '#src/kernel/jobs.ts'
import { ALERT_OF_RAID } from '#src/spaces/door/actions.ts'
import { enqueueFinding } from './enqueueing.ts'
import type { PushInterest } from './interest.ts'

interface Deps {
  database: Database
  pushInterest: PushInterest
}

const Payload = Type.Object({ space_id: Type.String() })
type Payload = Static<typeof Payload>

/** The job that sends pushes to the moderators of a space whose door was closed automatically. */
export function raidJobs(deps: Deps): JobTable {
  return {
    handlers: { [ALERT_OF_RAID]: (payload) => alert(deps, Parse(Payload, payload)) },
    schedule: [],
  }
}

async function alert({ database, pushInterest }: Deps, { space_id }: Payload): Promise<void> {
  if (!(await pushInterest.isAny())) return
  const place = { tenantId: space_id, channelId: space_id }
  await enqueueFinding(database, [{ name: { type: 'raid', place, messageId: null }, delaySeconds: 0 }])
}
