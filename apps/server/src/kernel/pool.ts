import pg from 'pg'

export interface OpenPool {
  pool: pg.Pool
  /** Resolves once every connection is closed, for which `pool.end` does not wait: a database that stops complains to those. */
  close(): Promise<void>
}

/** @param onError hears once of every connection that breaks */
export function openPool(config: pg.PoolConfig, onError: (error: Error) => void): OpenPool {
  const pool = new pg.Pool(config)
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
