import type { TestContext } from 'node:test'
import pg from 'pg'

/**
 * A committed transaction whose result has not reached the server yet. The results of later commits reach it first.
 */
export interface HeldCommit {
  /** Resolves when the database has committed. */
  committed: Promise<void>
  /** Lets the result reach the server. */
  release(): void
}

/**
 * Holds the result of a commit.
 * @param statement part of a statement that identifies the transaction
 */
export function holdCommit(context: TestContext, statement: string): HeldCommit {
  const committed = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const { query } = pg.Client.prototype
  let client: pg.Client | undefined
  function queryOrHold(this: pg.Client, ...given: unknown[]): unknown {
    const [asked] = given
    if (textOf(asked).includes(statement)) client = this
    const answered: unknown = Reflect.apply(query, this, given)
    return this === client && asked === 'commit' ? hold(answered) : answered
  }
  async function hold(answered: unknown): Promise<unknown> {
    mocked.mock.restore()
    const result = await answered
    committed.resolve()
    await released.promise
    return result
  }
  // A failed test must not keep the server from closing.
  context.after(() => released.resolve())
  const mocked = context.mock.method(pg.Client.prototype, 'query', queryOrHold)
  return { committed: committed.promise, release: released.resolve }
}

function textOf(query: unknown): string {
  return typeof query === 'string' ? query : String(Object(query).text)
}
