import pg from 'pg'
import { type Connection, passable, prepare } from './pooling.ts'

export interface OpenPool {
  pool: pg.Pool
  /**
   * Resolves when every connection is closed. `pool.end` does not wait for that: if the database then stops, connections
   * that are still open report errors.
   */
  close(): Promise<void>
}

/**
 * Defaults of every connection. The database ends long statements itself. These bounds are for a database that hangs
 * or vanished: waiting queries fail, and the connection is discarded.
 */
export const connectionBounds = {
  connectionTimeoutMillis: 5000,
  // Longer than any statement may take, including previous statements on a pipelined connection.
  query_timeout: 10_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} satisfies pg.ClientConfig

/** @param onError receives one error per broken connection */
export function openPool(config: Connection & pg.PoolConfig, onError: (error: Error) => void): OpenPool {
  const onConnect = (client: pg.ClientBase) => prepare(client, config)
  const pool = new pg.Pool({ ...connectionBounds, ...passable(config), onConnect })
  const open = new Set<Promise<void>>()
  pool.on('connect', (client) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    open.add(promise)
    client.once('end', () => {
      open.delete(promise)
      resolve()
    })
    // The pool listens for errors of idle connections only, and an error without a listener ends the process.
    client.on('error', onError)
  })
  pool.on('error', () => undefined)
  return {
    pool,
    async close() {
      await pool.end()
      await Promise.all(open)
    },
  }
}
