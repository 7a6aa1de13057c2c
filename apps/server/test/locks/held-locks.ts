import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type Query, sql } from '#src/kernel/sql/sql.ts'
import type { RunningServer } from '#src/start.ts'
import { connectionOf } from '../database.ts'

/** A transaction whose lock blocks others, so that a test controls the order of concurrent requests. */
export interface HeldLock {
  /**
   * Waits until at least `count` requests are blocked: in PostgreSQL by a lock, or in the server's queue for their
   * tenant. After MAX_WAIT_MS, it releases the lock and fails.
   */
  waitForBlocked(count: number): Promise<void>
  /** Commits the transaction. */
  release(): Promise<void>
}

/** Maximum time to wait until requests are blocked, on a slow machine. A blocked request itself gives up after 5 seconds. */
const MAX_WAIT_MS = 20_000
const POLL_INTERVAL_MS = 5

/** @param query statement that takes the lock */
export async function holdLock(server: RunningServer, query: Query): Promise<HeldLock> {
  // Uses a connection of its own: the server's connections time out when idle, and a query on them may wait for a blocked one.
  const client = new pg.Client(await connectionOf(server))
  client.on('error', () => undefined)
  await client.connect()
  await client.query('begin')
  await client.query(query)
  let released: Promise<void> | undefined
  const release = () => {
    released ??= commit(client)
    return released
  }
  return {
    release,
    async waitForBlocked(count) {
      const blocked = await pollBlocked(server, client, count)
      if (blocked < count) await release()
      assert.ok(blocked >= count, `${blocked} requests wait for the lock, ${count} were expected to`)
    },
  }
}

async function commit(client: pg.Client): Promise<void> {
  await client.query('commit')
  await client.end()
}

async function pollBlocked(server: RunningServer, client: pg.Client, count: number): Promise<number> {
  const countAll = async () => (await countBlocked(client)) + server.deps.database.waitingChanges
  const deadline = performance.now() + MAX_WAIT_MS
  let blocked = await countAll()
  while (blocked < count && performance.now() < deadline) {
    await delay(POLL_INTERVAL_MS)
    blocked = await countAll()
  }
  return blocked
}

async function countBlocked(client: pg.Client): Promise<number> {
  // Clears the statistics, which otherwise keep the values that this transaction read first.
  await client.query('select pg_stat_clear_snapshot()')
  const { rows } = await client.query<{ count: number }>(sql`
    select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`)
  return rows[0]?.count ?? 0
}
