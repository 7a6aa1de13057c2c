import pg from 'pg'

/** One of those that graphile-worker makes the statement again after, until it succeeds. */
const RETRIED = 'EHOSTUNREACH'

/**
 * The pool as graphile-worker is to have it. The statement that ends a job is waited for by nobody there: when the database
 * went away at that moment, its rejection would end the process, and the job would stay locked. Told by a code that it
 * knows, it asks again.
 */
export function patientPool(pool: pg.Pool): pg.Pool {
  type Listen = Parameters<pg.Pool['connect']>[0]
  const connect = async () => patientClient(pool, await patiently(pool, pool.connect()))
  const listen = (listener?: Listen) => (listener === undefined ? connect() : pool.connect(listener))
  return standIn(pool, { connect: listen })
}

function patientClient(pool: pg.Pool, client: pg.PoolClient): pg.PoolClient {
  const query = (...given: unknown[]) =>
    patiently(pool, Promise.resolve(Reflect.apply(client.query, client, given)))
  return standIn(client, { query })
}

/** The thing itself, but for what is replaced. */
function standIn<Thing extends object>(thing: Thing, replaced: Readonly<Record<string, unknown>>): Thing {
  return new Proxy(thing, {
    get(target, name) {
      if (typeof name === 'string' && Object.hasOwn(replaced, name)) return replaced[name]
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

async function patiently<Answer>(pool: pg.Pool, asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked
  } catch (error) {
    // The server stops: whoever starts next unlocks the job.
    if (pool.ending) return new Promise<never>(() => undefined)
    if (isOfStatement(error)) throw error
    throw Object.assign(new Error('the job queue lost its database', { cause: error }), { code: RETRIED })
  }
}

/**
 * Whether PostgreSQL refused the statement itself. Classes 08, 53 and 57 are of connections, of what is scarce and of its ends;
 * 25006 is a database that has handed its writes to another one. Sockets have codes, too, like EPIPE.
 */
function isOfStatement(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !/^(08|53|57|25006)/.test(error.code ?? '')
}
