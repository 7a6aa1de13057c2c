import type { Database } from '#src/kernel/database/database.ts'
import type { JobTable } from '#src/kernel/jobs.ts'
import { giveUpOverdue } from './actions/failure.ts'
import { sweep } from './answer-queries.ts'

/** Rows deleted per statement and kind. */
const SWEPT_AT_ONCE = 5000

/** Fails interactions that a stopped server left open, and deletes expired ones. */
export function interactionJobs({ database }: { database: Database }): JobTable {
  return {
    handlers: {
      tend_interactions: async () => {
        await giveUpOverdue(database)
        let isMore = true
        while (isMore) isMore = await database.transaction((transaction) => sweep(transaction, SWEPT_AT_ONCE))
      },
    },
    schedule: ['* * * * * tend_interactions'],
  }
}
