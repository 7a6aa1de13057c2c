import type { TestContext } from 'node:test'
import type { Query } from '#src/kernel/sql/sql.ts'
import type { RunningServer } from '#src/start.ts'

/** One short read that does not go on, while everything else does. */
export interface HeldRead {
  /** Resolves when the server waits for it. */
  asked: Promise<void>
  release(): void
  /** As a connection that breaks: only this read. */
  fail(): void
}

/**
 * @param statement part of its text, to know it by
 * @param when whether it waits before it is made, or with its answer
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
