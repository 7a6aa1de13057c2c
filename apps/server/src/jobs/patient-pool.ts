import pg from 'pg'

/** An error code after which graphile-worker repeats a statement until it succeeds. */
const RETRIED = 'EHOSTUNREACH'

/**
 * Wraps the pool for graphile-worker, which does not await the statement that completes a job: if the database goes away
 * at that moment, the rejection would end the process and the job would stay locked. An error code that graphile-worker
 * knows makes it retry.
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

/** Returns the object with some members replaced. */
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
    // While the server stops, the statement stays unanswered: the next process to start unlocks the job.
    if (pool.ending) return new Promise<never>(() => undefined)
    if (isOfStatement(error)) throw error
    throw Object.assign(new Error('the job queue lost its database', { cause: error }), { code: RETRIED })
  }
}

/**
 * Returns true if PostgreSQL refused the statement itself. Classes 08, 53 and 57 concern connections, resources and shutdown;
 * 25006 is the error of a server that is no longer the primary. Errors of sockets have codes, too, like EPIPE.
 */
function isOfStatement(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !/^(08|53|57|25006)/.test(error.code ?? '')
}
