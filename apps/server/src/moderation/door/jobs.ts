import { type Static, Type } from 'typebox'
import { Parse } from 'typebox/value'
import { enqueueJob, type JobTable } from '#src/kernel/jobs.ts'
import type { ScreeningDeps } from '#src/moderation/screening/actions/consequences.ts'
import { enter } from './actions/entering.ts'
import { listEntering } from './queries.ts'

/** The job that makes newcomers members. */
export const LET_IN_NEWCOMERS = 'let_in_newcomers'

/** Newcomers per run. Each takes a transaction of 5 to 10 ms. */
const ENTERING_AT_ONCE = 100

const Payload = Type.Object({ space_id: Type.String() })
type Payload = Static<typeof Payload>

export function doorJobs(deps: ScreeningDeps): JobTable {
  return {
    handlers: { [LET_IN_NEWCOMERS]: (payload) => letInNext(deps, Parse(Payload, payload)) },
    schedule: [],
  }
}

/**
 * Makes newcomers members, each in its own transaction: the space is unlocked in between, and a failure affects only
 * one newcomer.
 */
async function letInNext(deps: ScreeningDeps, { space_id }: Payload): Promise<void> {
  const { database } = deps
  const userIds = await listEntering(database, space_id, ENTERING_AT_ONCE)
  const errors: unknown[] = []
  for (const userId of userIds)
    await enter(deps, space_id, userId).catch((error: unknown) => errors.push(error))
  if (errors.length > 0) throw new AggregateError(errors, 'some newcomers could not be let in')
  if (userIds.length === ENTERING_AT_ONCE) await enqueueJob(database, LET_IN_NEWCOMERS, { space_id })
}
