import { Type } from 'typebox'
import { Parse } from 'typebox/value'
import type { JobContext, JobTable } from '#src/kernel/jobs.ts'
import { fragment } from '#src/kernel/sql/sql.ts'
import { sweepRuns } from '#src/kernel/sweeping.ts'
import { endExpiredImports } from './endings.ts'
import { enqueueImport, IMPORT_SPACE } from './queue.ts'
import { type RunningDeps, runImport } from './running.ts'

const Payload = Type.Object({ import_id: Type.String() })

/** Jobs that import archives, and delete each import a day after it ended. */
export function spaceImportJobs(deps: RunningDeps): JobTable {
  return {
    handlers: {
      [IMPORT_SPACE]: (payload, { abortSignal = new AbortController().signal }: JobContext = {}) =>
        runImport(deps, Parse(Payload, payload).import_id, abortSignal),
      sweep_space_imports: () => sweep(deps),
    },
    schedule: ['*/5 * * * * sweep_space_imports'],
  }
}

function sweep({ database }: RunningDeps): Promise<void> {
  return sweepRuns(database, {
    table: fragment`space_imports`,
    end: (limit) => database.transaction((transaction) => endExpiredImports(transaction, limit)),
    enqueue: (id) => enqueueImport(database, id),
  })
}
