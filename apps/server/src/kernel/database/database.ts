import pg from 'pg'
import { ApiError } from '../errors.ts'
import { newId } from '../ids.ts'
import type { Event, Topic } from '../journal/bus.ts'
import { CommitDoubt } from '../journal/commit-doubt.ts'
import { insertEvents } from '../journal/insert-events.ts'
import { isPartitionMissing } from '../journal/missing-partition.ts'
import { PipelinedReader } from '../sql/pipelined-reader.ts'
import { type OpenPool, openPool } from '../sql/pool.ts'
import type { Connection } from '../sql/pooling.ts'
import type { Query, Queryable } from '../sql/sql.ts'
import { wireTypes } from '../sql/wire-types.ts'
import { restAfter } from './rest.ts'
import { Turns } from './turns.ts'

/** Maximum duration of a transaction, which also limits the time until its events are received. */
export const MAX_TRANSACTION_MS = 5000
/** Maximum difference between the clocks of the processes and of the database. */
export const CLOCK_SKEW_MS = 5000

/**
 * Maximum age of an event's id when the event is delivered: the wait for a connection, the transaction, and the look-up
 * of the audience, each of MAX_TRANSACTION_MS. A backfill begins that much earlier, so that it skips no event.
 */
export const MAX_DELIVERY_MS = 3 * MAX_TRANSACTION_MS

const POOL_SIZE = 10
/** Connections for single statements, messages above all. Transactions use other connections, and cannot delay these. */
const STATEMENT_POOL_SIZE = 3
/** Maximum connections for transactions that hold a tenant. The remaining ones stay free for other transactions. */
const HELD_AT_ONCE = 4
/** Changes that may wait for one tenant: a crowd that joins a space waits, and is not refused. */
const MAX_WAITING_FOR_TENANT = 500
/** Connections kept open while idle, so that a lone message does not wait for one. */
const KEPT_OPEN = 1

export interface NewEvent {
  topic: Topic
  name: string
  /** Encoded by the event's own schema, so that undeclared fields cannot leak. */
  data: string
  /** Permission bits a subscriber needs in the space. */
  audience?: number
}

export interface Transaction extends Queryable {
  /** Writes the event to the journal in this transaction, and publishes it on the bus after the commit. */
  publish(event: NewEvent): void
}

export interface DatabaseOptions {
  connection: Connection
  onError: (error: Error) => void
  /** Receives a transaction's events after its commit. The transaction's caller waits until the promise resolves. */
  onCommit: (events: readonly Event[]) => Promise<void>
  /** Extra work for a transaction's events, in that transaction. */
  onJournal?: (transaction: Queryable, events: readonly Event[]) => Promise<void>
  /** Creates the journal partitions for the current time. */
  onMissingPartition?: () => Promise<void>
}

interface Committed<T> {
  result: T
  events: readonly Event[]
}

export class Database implements Queryable {
  readonly #options: DatabaseOptions
  readonly #transactions: OpenPool
  readonly #statements: OpenPool
  readonly #reader: PipelinedReader
  readonly #bulkReader: PipelinedReader
  /**
   * Reads with long results, such as READY, on connections of their own. Short reads neither wait for them nor fail
   * with them.
   */
  readonly bulk: Queryable = {
    query: async <R extends pg.QueryResultRow>(query: Query) => (await this.#bulkReader.query<R>(query)).rows,
  }
  readonly #turns = new Turns({
    atOnce: HELD_AT_ONCE,
    maxWaiting: MAX_WAITING_FOR_TENANT,
    maxWaitMs: MAX_TRANSACTION_MS,
  })
  readonly #doubt: CommitDoubt

  /** The connection pools by purpose. */
  get pools(): Readonly<Record<'transactions' | 'statements', pg.Pool>> {
    return { transactions: this.#transactions.pool, statements: this.#statements.pool }
  }

  /** Changes that wait for their tenant's turn. */
  get waitingChanges(): number {
    return this.#turns.waiting
  }

  constructor(options: DatabaseOptions) {
    const connection = { ...wireTypes, ...options.connection, statement_timeout: MAX_TRANSACTION_MS }
    this.#options = options
    const poolSettings = {
      ...connection,
      min: KEPT_OPEN,
      pipeline: true,
      connectionTimeoutMillis: MAX_TRANSACTION_MS,
      idle_in_transaction_session_timeout: MAX_TRANSACTION_MS,
    }
    this.#transactions = openPool({ ...poolSettings, max: POOL_SIZE }, options.onError)
    this.#statements = openPool({ ...poolSettings, max: STATEMENT_POOL_SIZE }, options.onError)
    this.#reader = new PipelinedReader(connection, options.onError)
    this.#bulkReader = new PipelinedReader(connection, options.onError)
    this.#doubt = new CommitDoubt({
      database: this,
      settleMs: MAX_TRANSACTION_MS,
      onCommit: options.onCommit,
    })
  }

  /** Runs a short read outside of any transaction. */
  async query<R extends pg.QueryResultRow>(query: Query): Promise<R[]> {
    const result = await this.#reader.query<R>(query)
    return result.rows
  }

  /**
   * Runs one statement that commits by itself.
   * @param events the events that the statement journals, if the caller publishes them itself. If the connection breaks
   * during the commit, they are published later, provided that they were committed
   */
  async execute<R extends pg.QueryResultRow>(
    query: Query,
    events: () => readonly Event[] = () => [],
  ): Promise<R[]> {
    const execute = () => this.#execute<R>(query, events)
    return execute().catch(async (error: unknown) => {
      await this.#makePartition(error)
      return execute()
    })
  }

  /**
   * Runs `work` in one transaction of at most `MAX_TRANSACTION_MS`, and journals the events it publishes.
   * @throws anything `work` throws, after a rollback and without publishing; ApiError 503 if the journal had no
   * partition for the events: the partition is created, so that the caller can try again
   */
  async transaction<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#publish(await this.#commit(work))
  }

  /**
   * Runs a transaction that locks a tenant's row, such as a space whose structure it changes. Transactions of one
   * tenant run one after the other anyway; here they wait without occupying a connection each.
   * @throws the errors of `transaction`, and ApiError 503 if too many transactions wait for the tenant
   */
  async transactionIn<T>(tenantId: string, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.#publish(await this.#turns.run(tenantId, () => this.#commit(work), restAfter))
  }

  async close(): Promise<void> {
    this.#doubt.close()
    await Promise.all([this.#transactions.close(), this.#statements.close()])
    await Promise.all([this.#reader.close(), this.#bulkReader.close()])
  }

  async #commit<T>(work: (transaction: Transaction) => Promise<T>): Promise<Committed<T>> {
    const client = await this.#transactions.pool.connect()
    const deadline = Date.now() + MAX_TRANSACTION_MS
    const events: Event[] = []
    const attempted = attempt(client, async () => {
      const transaction = transactionOn(client, events)
      const result = await work(transaction)
      if (events.length > 0) {
        await client.query(insertEvents(events))
        await this.#options.onJournal?.(transaction, events)
      }
      if (Date.now() > deadline) throw new ApiError('timeout')
      return result
    })
    const result = await this.#watch(
      () => events,
      () => attempted,
    ).catch(async (error: unknown) => {
      await this.#makePartition(error)
      throw new ApiError('unavailable')
    })
    return { result, events }
  }

  /** Runs after the tenant's turn, so that the next turn does not wait for it. */
  async #publish<T>({ result, events }: Committed<T>): Promise<T> {
    if (events.length > 0) await this.#options.onCommit(events)
    return result
  }

  async #execute<R extends pg.QueryResultRow>(query: Query, events: () => readonly Event[]): Promise<R[]> {
    // The wait for a connection is not watched: nothing was sent yet, so the outcome cannot be in doubt.
    const client = await this.#statements.pool.connect()
    try {
      const { rows } = await this.#watch(events, () => client.query<R>(query))
      client.release()
      return rows
    } catch (error) {
      client.release(isUseless(error))
      throw error
    }
  }

  /** @throws the given error, unless it was a missing partition */
  async #makePartition(error: unknown): Promise<void> {
    if (!isPartitionMissing(error)) throw error
    await this.#options.onMissingPartition?.()
  }

  async #watch<T>(events: () => readonly Event[], work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (CommitDoubt.leaves(error)) this.#doubt.resolve(events())
      throw error
    }
  }
}

async function attempt<T>(client: pg.PoolClient, work: () => Promise<T>): Promise<T> {
  try {
    await client.query('begin')
    const result = await work()
    await client.query('commit')
    client.release()
    return result
  } catch (error) {
    // A connection whose rollback fails is discarded.
    await client.query('rollback').then(
      () => client.release(isUseless(error)),
      (broken: Error) => client.release(broken),
    )
    throw error
  }
}

const READ_ONLY = '25006'

/** Returns true if the connection broke, or reaches a database that is no longer the primary. */
function isUseless(error: unknown): boolean {
  return CommitDoubt.leaves(error) || (error instanceof pg.DatabaseError && error.code === READ_ONLY)
}

function transactionOn(client: pg.PoolClient, events: Event[]): Transaction {
  return {
    async query<R extends pg.QueryResultRow>(query: Query) {
      const result = await client.query<R>(query)
      return result.rows
    },
    publish({ topic, name, data, audience = 0 }) {
      events.push({ id: newId(), topic, audience, name, data })
    },
  }
}
