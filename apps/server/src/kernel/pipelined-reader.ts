import pg from 'pg'
import { connectionBounds } from './pool.ts'
import { type Connection, passable, prepare } from './pooling.ts'
import type { Query } from './sql.ts'

const CONNECTIONS = 3

/**
 * A few connections that carry many short reads at once: a query does not wait for the answer to the one before it.
 * A connection that breaks, or does not answer, is replaced at its next use; what it carried fails and is not repeated.
 */
export class PipelinedReader {
  readonly #config: Connection
  readonly #onError: (error: Error) => void
  readonly #clients: (Promise<pg.Client> | undefined)[] = []
  #turn = 0
  #closed = false

  constructor(config: Connection, onError: (error: Error) => void) {
    this.#config = { ...connectionBounds, ...config, pipeline: true }
    this.#onError = onError
  }

  async query<R extends pg.QueryResultRow>(query: Query): Promise<pg.QueryResult<R>> {
    this.#turn = (this.#turn + 1) % CONNECTIONS
    const client = await this.#client(this.#turn)
    return client.query<R>(query)
  }

  async close(): Promise<void> {
    this.#closed = true
    const clients = await Promise.allSettled(this.#clients)
    await Promise.all(
      clients.map((client) => (client.status === 'fulfilled' ? client.value?.end() : undefined)),
    )
  }

  #client(slot: number): Promise<pg.Client> {
    if (this.#closed) throw new Error('the database is closed')
    return this.#clients[slot] ?? this.#open(slot)
  }

  #open(slot: number): Promise<pg.Client> {
    const client = new pg.Client(passable(this.#config))
    const connecting = this.#connect(client)
    this.#clients[slot] = connecting
    // By then another may be in its place.
    const forget = () => {
      if (this.#clients[slot] === connecting) this.#clients[slot] = undefined
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
    await prepare(client, this.#config)
    return client
  }
}
