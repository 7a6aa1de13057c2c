import type { JobTable } from '#src/kernel/jobs.ts'
import type { SearchIndexer } from './indexer.ts'

/** What a killed process had written is found at the start; what another one left that still runs is found here. */
export function searchJobs({ searchIndexer }: { searchIndexer: SearchIndexer }): JobTable {
  return {
    handlers: {
      index_messages: async () => searchIndexer.lookForMore(),
    },
    schedule: ['*/10 * * * * index_messages'],
  }
}
