import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { cloneDatabase } from '#test/database.ts'
import { startOwnServer } from '#test/server.ts'
import { type Queryable, sql } from '../sql/sql.ts'
import { Database, type Transaction } from './database.ts'

const NOTICE_MS = 200
const HOUR_MS = 3_600_000

async function findBackend(transaction: Transaction): Promise<number> {
  const [backend] = await transaction.query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
  return backend?.pid ?? 0
}

/** Ends a connection as a restart of the database does, and waits until its user knows. */
async function endConnection(database: Queryable, pid: number): Promise<void> {
  await database.query(sql`select pg_terminate_backend(${pid}::integer)`)
  await delay(NOTICE_MS)
}

test('DATA-3: a transaction fails when the database ends its connection, and nothing else does', async (t) => {
  const server = await startOwnServer()
  t.after(() => server.close())
  const { database } = server.deps
  const betweenQueries = database.transaction(async (transaction) => {
    await endConnection(database, await findBackend(transaction))
    await transaction.query(sql`select 1`)
  })
  // The pool may or may not know by then, depending on the speed of the machine.
  await assert.rejects(betweenQueries, /connection/i)
  const duringQuery = database.transaction(async (transaction) => {
    const pid = await findBackend(transaction)
    await Promise.all([transaction.query(sql`select pg_sleep(4)`), endConnection(database, pid)])
  })
  await assert.rejects(duringQuery, /terminating connection/)
  assert.equal(await database.transaction(async () => 'works'), 'works')
  assert.equal((await server.fetch('/api/health')).status, 200)
})

test('one of the connections for changes stays open, however long there are no changes', async (t) => {
  const { connection, drop } = await cloneDatabase()
  const database = new Database({ connection, onError: assert.ifError, onCommit: async () => undefined })
  t.after(async () => {
    await database.close()
    await drop()
  })
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const used = await Promise.all([database.transaction(findBackend), database.transaction(findBackend)])
  t.mock.timers.tick(HOUR_MS)
  assert.ok(used.includes(await database.transaction(findBackend)))
})
