import pg from 'pg'
import { readInTurns } from './long-results.ts'
import { connectionBounds } from './pool.ts'
import { type Connection, passable, prepare } from './pooling.ts'
import type { Query } from './sql.ts'

const CONNECTIONS = 3

interface Slot {
  client: Promise<pg.Client> | undefined
  /** Reads waiting for the connection. */
  inFlight: number
}

/**
 * A few connections for many short reads: a query is sent without waiting for the previous result. Results come in
 * order, so each query goes to the connection with the fewest outstanding. A connection that breaks or hangs is
 * replaced at its next use; its queries fail and are not repeated.
 */
export class PipelinedReader {
  readonly #config: Connection
  readonly #onError: (error: Error) => void
  /** Least recently used first. */
  readonly #slots: Slot[]
  #closed = false

  constructor(config: Connection, onError: (error: Error) => void, connections = CONNECTIONS) {
    this.#slots = Array.from({ length: connections }, () => ({ client: undefined, inFlight: 0 }))
    this.#config = { ...connectionBounds, ...config, pipeline: true }
    this.#onError = onError
  }

  async query<R extends pg.QueryResultRow>(query: Query): Promise<pg.QueryResult<R>> {
    const slot = this.#leastBusy()
    slot.inFlight += 1
    try {
      const client = await this.#client(slot)
      return await client.query<R>(query)
    } finally {
      slot.inFlight -= 1
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    const clients = await Promise.allSettled(this.#slots.map(({ client }) => client))
    await Promise.all(
      clients.map((client) => (client.status === 'fulfilled' ? client.value?.end() : undefined)),
    )
  }

  /** Returns the least busy connection. Equally busy ones take turns. */
  #leastBusy(): Slot {
    const slot = this.#slots.reduce((least, other) => (other.inFlight < least.inFlight ? other : least))
    this.#slots.push(...this.#slots.splice(this.#slots.indexOf(slot), 1))
    return slot
  }

  #client(slot: Slot): Promise<pg.Client> {
    if (this.#closed) throw new Error('the database is closed')
    return slot.client ?? this.#open(slot)
  }

  #open(slot: Slot): Promise<pg.Client> {
    const client = new pg.Client(passable(this.#config))
    const connecting = this.#connect(client)
    slot.client = connecting
    // Another client may have replaced it since.
    const forget = () => {
      if (slot.client === connecting) slot.client = undefined
    }
    connecting.catch(forget)
    client.on('end', forget)
    client.on('error', (error) => {
      forget()
      this.#onError(error)
    })
    return connecting
  }

  async #connect(client: pg.Client): Promise<pg.Client> {
    await client.connect()
    readInTurns(client.connection.stream)
    await prepare(client, this.#config)
    return client
  }
}
