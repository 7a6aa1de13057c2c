import type { JobTable } from '#src/kernel/jobs.ts'
import type { SearchIndexer } from './indexer.ts'

/** Finds messages left unindexed by a running process. Messages of a killed process are found at the next start. */
export function searchJobs({ searchIndexer }: { searchIndexer: SearchIndexer }): JobTable {
  return {
    handlers: {
      index_messages: async () => searchIndexer.lookForMore(),
    },
    schedule: ['*/10 * * * * index_messages'],
  }
}
