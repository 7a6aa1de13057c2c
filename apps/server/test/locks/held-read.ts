import type { TestContext } from 'node:test'
import type { Query } from '#src/kernel/sql/sql.ts'
import type { RunningServer } from '#src/start.ts'

/** One short read that is held while everything else goes on. */
export interface HeldRead {
  /** Resolves when the server waits for the read. */
  asked: Promise<void>
  release(): void
  /** Fails this read alone, like a broken connection. */
  fail(): void
}

/**
 * @param statement part of the query text that identifies the read
 * @param when `before` holds the query, `behind` holds its result
 */
export function holdRead(
  context: TestContext,
  { deps }: RunningServer,
  statement: string,
  when: 'before' | 'behind' = 'before',
): HeldRead {
  const asked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const { database } = deps
  const query = database.query.bind(database)
  const mocked = context.mock.method(database, 'query', async (given: Query) => {
    if (!given.text.includes(statement)) return query(given)
    mocked.mock.restore()
    const answer = when === 'behind' ? await query(given) : undefined
    asked.resolve()
    await released.promise
    return answer ?? query(given)
  })
  return {
    asked: asked.promise,
    release: released.resolve,
    fail: () => released.reject(new Error('the connection broke')),
  }
}
