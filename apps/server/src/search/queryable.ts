import type pg from 'pg'
import type { Query, Queryable } from '#src/kernel/sql/sql.ts'

/** Wraps a connection of search's own. Rows have the driver's types: times are selected as text. */
export function queryableOf(client: pg.ClientBase): Queryable {
  return {
    async query<R extends pg.QueryResultRow>(query: Query) {
      const result = await client.query<R>(query)
      return result.rows
    },
  }
}

/**
 * Runs a transaction on one connection.
 * @param begin statement that begins it
 */
export async function inTransaction<T>(
  client: pg.ClientBase,
  work: (transaction: Queryable) => Promise<T>,
  begin = 'begin',
): Promise<T> {
  await client.query(begin)
  try {
    const result = await work(queryableOf(client))
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
