import type { TestContext } from 'node:test'
import pg from 'pg'

/** A transaction that is committed while the server does not know yet: what is committed later it learns sooner. */
export interface HeldCommit {
  /** Resolves when the database has committed it. */
  committed: Promise<void>
  /** Lets the server know. */
  release(): void
}

/**
 * Holds back the answer to the commit of a transaction.
 * @param statement part of one of its statements, to know it by
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
  // A test that fails must not keep the server from closing.
  context.after(() => released.resolve())
  const mocked = context.mock.method(pg.Client.prototype, 'query', queryOrHold)
  return { committed: committed.promise, release: released.resolve }
}

function textOf(query: unknown): string {
  return typeof query === 'string' ? query : String(Object(query).text)
}
