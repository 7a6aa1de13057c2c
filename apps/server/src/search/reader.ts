import pg from 'pg'
import { ApiError } from '#src/kernel/errors.ts'
import { type OpenPool, openPool } from '#src/kernel/pool.ts'
import { type Connection, settingsOfTransaction } from '#src/kernel/pooling.ts'
import type { Queryable } from '#src/kernel/sql.ts'
import { inTime } from './deadline.ts'
import { inTransaction } from './queryable.ts'

/** So many at once, apart from what everybody else needs: further ones wait, within their time. */
const CONNECTIONS = 4
/** To open one costs more than most searches. */
const IDLE_MS = 5 * 60_000
const QUERY_CANCELED = '57014'

/**
 * Every statement is planned for its values, which decide everything here; ways that we never want are closed; and what an
 * index finds by the beginning of a word is kept row by row, not page by page.
 */
const SETTINGS = '-c plan_cache_mode=force_custom_plan -c enable_seqscan=off -c work_mem=64MB -c jit=off'

/** The connections on which searches read. */
export class SearchReader {
  readonly #opened: OpenPool
  /** Undefined where the session has them. */
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
   * @param deadline of all of it, on the clock of `performance.now()`
   * @throws ApiError 503 past the deadline; the connection is of use afterwards
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
      const isLate = error instanceof pg.DatabaseError && error.code === QUERY_CANCELED
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
      // It may come all the same.
      connecting.then(
        (client) => client.release(),
        () => undefined,
      )
      throw error
    }
  }
}

/** Each statement has the time that is left, and nothing else on the connection has a bound from it. */
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
