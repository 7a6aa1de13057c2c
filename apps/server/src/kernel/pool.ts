import pg from 'pg'
import { type Connection, passable, prepare } from './pooling.ts'

export interface OpenPool {
  pool: pg.Pool
  /** Resolves once every connection is closed, for which `pool.end` does not wait: a database that stops complains to those. */
  close(): Promise<void>
}

/**
 * Holds for every connection that does not say otherwise. The database ends long statements itself; these are for one that
 * hangs, or whose machine is gone without a word: what waits for it fails, and the connection is given up.
 */
export const connectionBounds = {
  connectionTimeoutMillis: 5000,
  // Longer than any statement may take, and what stands before it on a connection that carries several.
  query_timeout: 10_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 10_000,
} satisfies pg.ClientConfig

/** @param onError hears once of every connection that breaks */
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
    // The pool listens only to connections that nobody uses, and an error that nobody hears ends the process.
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
