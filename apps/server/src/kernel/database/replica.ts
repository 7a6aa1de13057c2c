import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { PipelinedReader } from '../sql/pipelined-reader.ts'
import { type Query, type Queryable, sql } from '../sql/sql.ts'
import { wireTypes } from '../sql/wire-types.ts'

/** Time a read waits for the replica to catch up with the primary. */
const MAX_WAIT_MS = 100
/** Pause after a replica lagged or failed. It doubles with each further failure. */
const FIRST_PAUSE_MS = 50
const MAX_PAUSE_MS = 1600
const POLL_MS = 2
const QUERY_MS = 2000

interface Waiting {
  position: bigint
  resolve: () => void
}

export interface ReplicaOptions {
  primary: Queryable
  connection: pg.ClientConfig
  onError: (error: Error) => void
}

/** A read-only copy of the database. Before each read it is checked to have everything the primary has. */
export class Replica implements Queryable {
  readonly #primary: Queryable
  readonly #settings: pg.ClientConfig
  readonly #reader: PipelinedReader
  /** Replayed position, in bytes of the write-ahead log. */
  #replayed = 0n
  #waiting: Waiting[] = []
  #watching: Promise<void> | undefined
  #isTwin: Promise<boolean> | undefined
  #asking: Promise<bigint> | undefined
  #next: Promise<bigint> | undefined
  #pausedUntil = 0
  #pauseMs = FIRST_PAUSE_MS

  constructor({ primary, connection, onError }: ReplicaOptions) {
    this.#primary = primary
    const bounds = { statement_timeout: QUERY_MS, query_timeout: QUERY_MS, connectionTimeoutMillis: QUERY_MS }
    this.#settings = { ...wireTypes, ...bounds, ...connection, application_name: 'foyer replica' }
    this.#reader = new PipelinedReader(this.#settings, onError)
  }

  async query<R extends pg.QueryResultRow>(query: Query): Promise<R[]> {
    const { rows } = await this.#reader.query<R>(query)
    return rows
  }

  /** Returns whether everything committed so far can be read here. False if that takes too long. */
  async isUpToDate(): Promise<boolean> {
    if (performance.now() < this.#pausedUntil) return false
    const late = new AbortController()
    const tooLong = delay(MAX_WAIT_MS, false, { signal: late.signal }).catch(() => false)
    const isFresh = await Promise.race([this.#catchUp(), tooLong]).catch(() => false)
    late.abort()
    if (isFresh) this.#pauseMs = FIRST_PAUSE_MS
    else this.pause()
    return isFresh
  }

  /** Stops reads from the replica for a while, which doubles with each failure in a row. */
  pause(): void {
    this.#pausedUntil = performance.now() + this.#pauseMs
    this.#pauseMs = Math.min(2 * this.#pauseMs, MAX_PAUSE_MS)
  }

  async close(): Promise<void> {
    await this.#reader.close()
  }

  async #catchUp(): Promise<boolean> {
    this.#isTwin ??= this.#findTwin().catch((error: unknown) => {
      // Forgets the failed check, so that the next read repeats it.
      this.#isTwin = undefined
      throw error
    })
    if (!(await this.#isTwin)) return false
    const position = await this.#primaryPosition()
    if (position > this.#replayed) await this.#replay(position)
    return true
  }

  /**
   * Checks that the replica copies this database. It could copy another one, or still have the database that had the name
   * before an update or a rollback, if it has not replayed the rename yet: a session stays with its database despite a
   * rename, so this is checked on a separate connection, before the first reading connection opens.
   */
  async #findTwin(): Promise<boolean> {
    const [own] = await this.#primary.query<{ id: string; position: string }>(sql`
      select system_identifier::text as id, pg_current_wal_insert_lsn()::text as position from pg_control_system()`)
    const client = new pg.Client(this.#settings)
    // A lost connection also fails the running statement. Without a listener, its event would end the process.
    client.on('error', () => undefined)
    await client.connect()
    try {
      const { rows } = await client.query<{ id: string; is_here: boolean | null }>(
        `select system_identifier::text as id, pg_last_wal_replay_lsn() >= $1::pg_lsn as is_here
        from pg_control_system()`,
        [own?.position],
      )
      const [other] = rows
      if (other?.id !== own?.id) return false
      if (other?.is_here !== true) throw new Error('the replica lags')
      return true
    } finally {
      await client.end()
    }
  }

  /**
   * Returns the primary's position. A running query may be older than the caller's data, so new callers share the next
   * query.
   */
  #primaryPosition(): Promise<bigint> {
    const ask = () => {
      this.#asking = this.#findPosition()
      this.#next = undefined
      return this.#asking
    }
    this.#next ??= Promise.resolve(this.#asking).then(ask, ask)
    return this.#next
  }

  async #findPosition(): Promise<bigint> {
    const [row] = await this.#primary.query<{ at: string }>(
      sql`select pg_current_wal_insert_lsn()::text as at`,
    )
    return bytesOf(row?.at ?? '')
  }

  async #replay(position: bigint): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const waiting = { position, resolve }
    this.#waiting.push(waiting)
    this.#watching ??= this.#watch().finally(() => {
      this.#watching = undefined
    })
    await Promise.race([promise, this.#watching, delay(MAX_WAIT_MS, undefined, { ref: false })])
    this.#waiting = this.#waiting.filter((other) => other !== waiting)
    if (this.#replayed < position) throw new Error('the replica lags')
  }

  /** Polls the replica's position until no read waits. One query serves all waiting reads. */
  async #watch(): Promise<void> {
    while (this.#waiting.length > 0) {
      const [row] = await this.query<{ at: string | null }>(sql`select pg_last_wal_replay_lsn()::text as at`)
      this.#replayed = bytesOf(row?.at ?? '')
      const { true: served = [], false: left = [] } = Object.groupBy(this.#waiting, ({ position }) =>
        position <= this.#replayed ? 'true' : 'false',
      )
      this.#waiting = left
      for (const { resolve } of served) resolve()
      if (this.#waiting.length > 0) await delay(POLL_MS)
    }
  }
}

/** Parses a WAL position (LSN) like `16/B374D848`, two halves of 32 bits. It is empty for a database that is not a replica. */
function bytesOf(position: string): bigint {
  const [high = '', low = ''] = position.split('/')
  return low === '' ? 0n : (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}
