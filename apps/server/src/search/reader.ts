import type pg from 'pg'
import { ApiError } from '#src/kernel/errors.ts'
import { type OpenPool, openPool } from '#src/kernel/sql/pool.ts'
import { type Connection, settingsOfTransaction } from '#src/kernel/sql/pooling.ts'
import type { Queryable } from '#src/kernel/sql/sql.ts'
import { inTime, isCanceled } from './deadline.ts'
import { inTransaction } from './queryable.ts'

/** Maximum simultaneous searches, each on its own connection. Further searches wait within their time limit. */
const CONNECTIONS = 4
/** Idle time after which a connection is closed. Opening one costs more than most searches. */
const IDLE_MS = 5 * 60_000

/**
 * PostgreSQL settings: plan each statement for its values, on which the best plan depends; never read whole tables; and have
 * enough memory to keep the matches of a prefix per row instead of per page.
 */
const SETTINGS = '-c plan_cache_mode=force_custom_plan -c enable_seqscan=off -c work_mem=64MB -c jit=off'

/** The connection pool for searches. */
export class SearchReader {
  readonly #opened: OpenPool
  /** Settings to apply in each transaction; undefined if the connection already has them. */
  readonly #settings: string | undefined

  get pool(): pg.Pool {
    return this.#opened.pool
  }

  constructor(connection: Connection, onError: (error: Error) => void) {
    const settings = { ...connection, application_name: 'foyer search', options: SETTINGS }
    this.#settings = settingsOfTransaction(settings)
    this.#opened = openPool({ ...settings, max: CONNECTIONS, idleTimeoutMillis: IDLE_MS }, onError)
  }

  /**
   * @param deadline for the whole work, on the clock of `performance.now()`
   * @throws ApiError 503 past the deadline; the connection stays usable
   */
  async run<T>(deadline: number, work: (database: Queryable) => Promise<T>): Promise<T> {
    const client = await this.#connect(deadline)
    try {
      const result = await inTransaction(client, async (transaction) => {
        if (this.#settings !== undefined) await client.query(this.#settings)
        return work(within(client, transaction, deadline))
      })
      client.release()
      return result
    } catch (error) {
      const isLate = isCanceled(error)
      client.release(!isLate && !(error instanceof ApiError))
      throw isLate ? new ApiError('search_timeout') : error
    }
  }

  async close(): Promise<void> {
    await this.#opened.close()
  }

  async #connect(deadline: number): Promise<pg.PoolClient> {
    const connecting = this.#opened.pool.connect()
    try {
      return await inTime(deadline, connecting)
    } catch (error) {
      // Releases the connection if it is opened after the deadline.
      connecting.then(
        (client) => client.release(),
        () => undefined,
      )
      throw error
    }
  }
}

/** Limits each statement to the remaining time. */
function within(client: pg.ClientBase, transaction: Queryable, deadline: number): Queryable {
  return {
    async query(query) {
      const left = Math.floor(deadline - performance.now())
      if (left < 1) throw new ApiError('search_timeout')
      await client.query(`set local statement_timeout = ${left}`)
      return transaction.query(query)
    },
  }
}
