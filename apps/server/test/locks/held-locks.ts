import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type Query, sql } from '#src/kernel/sql/sql.ts'
import type { RunningServer } from '#src/start.ts'
import { connectionOf } from '../database.ts'

/** A transaction of the test's own that others have to wait for, so that the test decides who meets whom. */
export interface HeldLock {
  /**
   * Until at least so many requests wait: in the database for a lock, this one or one behind it, or in the server until
   * their tenant is free. Releases it when they do not.
   */
  waitForBlocked(count: number): Promise<void>
  /** Commits. */
  release(): Promise<void>
}

/** Who waits does so for 5 seconds; until they do, a slow machine may take longer. */
const MAX_WAIT_MS = 20_000
const POLL_INTERVAL_MS = 5

/** @param query what takes the lock */
export async function holdLock(server: RunningServer, query: Query): Promise<HeldLock> {
  // Not by the server's connections, which give up what is idle, and may wait behind one that waits.
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
  const countAll = async () => (await countBlocked(client)) + server.deps.database.waitingForTenant
  const deadline = performance.now() + MAX_WAIT_MS
  let blocked = await countAll()
  while (blocked < count && performance.now() < deadline) {
    await delay(POLL_INTERVAL_MS)
    blocked = await countAll()
  }
  return blocked
}

async function countBlocked(client: pg.Client): Promise<number> {
  // What a transaction has seen of the others it would go on to see.
  await client.query('select pg_stat_clear_snapshot()')
  const { rows } = await client.query<{ count: number }>(sql`
    select count(*)::integer as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`)
  return rows[0]?.count ?? 0
}
