import type pg from 'pg'
import type { Logger } from 'pino'
import type { Connection } from '#src/kernel/sql/pooling.ts'
import { SearchIndexer } from './indexer.ts'
import { SearchReader } from './reader.ts'
import { ThreadSizes } from './thread-sizes.ts'

export interface SearchParts {
  searchIndexer: SearchIndexer
  searchReader: SearchReader
  /** Undefined without a replica. */
  searchReplica: SearchReader | undefined
  threadSizes: ThreadSizes
  /** Ends searches in progress and closes the connections. */
  closeSearch(): Promise<void>
}

export interface SearchGiven {
  connection: Connection
  /** Connection to PostgreSQL itself, not to a pooler. */
  directConnection: Connection
  replicaConnection: pg.ClientConfig | undefined
  log: Logger
}

export function createSearchParts({
  connection,
  directConnection,
  replicaConnection,
  log,
}: SearchGiven): SearchParts {
  const onError = (error: Error) => log.error({ err: error }, 'search lost its database')
  const searchIndexer = new SearchIndexer({ connection: directConnection, log })
  const searchReader = new SearchReader(connection, onError)
  const searchReplica = replicaConnection && new SearchReader(replicaConnection, onError)
  return {
    searchIndexer,
    searchReader,
    searchReplica,
    threadSizes: new ThreadSizes(),
    async closeSearch() {
      await Promise.all([searchIndexer.close(), searchReader.close(), searchReplica?.close()])
    },
  }
}
