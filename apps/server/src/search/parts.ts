import type pg from 'pg'
import type { Logger } from 'pino'
import { SearchIndexer } from './indexer.ts'
import { SearchReader } from './reader.ts'

export interface SearchParts {
  searchIndexer: SearchIndexer
  searchReader: SearchReader
  /** Ends what is under way and closes the connections. */
  closeSearch(): Promise<void>
}

export function createSearchParts({
  connection,
  log,
}: {
  connection: pg.ClientConfig
  log: Logger
}): SearchParts {
  const onError = (error: Error) => log.error({ err: error }, 'search lost its database')
  const searchIndexer = new SearchIndexer({ connection, log })
  const searchReader = new SearchReader(connection, onError)
  return {
    searchIndexer,
    searchReader,
    async closeSearch() {
      await Promise.all([searchIndexer.close(), searchReader.close()])
    },
  }
}
