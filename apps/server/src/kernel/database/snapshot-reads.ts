import type pg from 'pg'
import { openPool } from '../sql/pool.ts'
import type { Connection } from '../sql/pooling.ts'
import type { Query, Queryable } from '../sql/sql.ts'
import { wireTypes } from '../sql/wire-types.ts'

/** Time limit of one statement. */
const STATEMENT_MS = 60_000
/** Longest pause between two statements, during which the reader does other work. */
const IDLE_MS = 10 * 60_000

/** Reads from one snapshot of the database. */
export interface DatabaseSnapshot extends Queryable, AsyncDisposable {}

/**
 * Opens snapshots, each on a connection of its own, because work with one may take minutes. PostgreSQL cannot vacuum
 * during that time, so readers close a snapshot before they continue with other work.
 */
export class SnapshotReads {
  readonly #connection: Connection

  /** @param connection to PostgreSQL itself, not to a pooler */
  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Begins a snapshot: `await using snapshot = await reads.open()`. */
  async open(): Promise<DatabaseSnapshot> {
    const opened = openPool({ ...this.#connection, ...wireTypes, ...bounds }, () => undefined)
    try {
      const client = await opened.pool.connect()
      await client.query('begin isolation level repeatable read read only')
      return {
        async query<R extends pg.QueryResultRow>(query: Query) {
          const { rows } = await client.query<R>(query)
          return rows
        },
        async [Symbol.asyncDispose]() {
          client.release(true)
          await opened.close()
        },
      }
    } catch (error) {
      await opened.close()
      throw error
    }
  }
}

const bounds = {
  application_name: 'foyer snapshot',
  max: 1,
  statement_timeout: STATEMENT_MS,
  query_timeout: STATEMENT_MS + 1000,
  idle_in_transaction_session_timeout: IDLE_MS,
} satisfies pg.PoolConfig
