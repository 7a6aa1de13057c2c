import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import { type Query, sql } from '#src/kernel/sql.ts'
import type { RunningServer } from '#src/start.ts'

/** A transaction of the test's own that others have to wait for, so that the test decides who meets whom. */
export interface HeldLock {
  /** Until at least so many requests wait for a lock, this one or one behind it; releases it when they do not. */
  waitForBlocked(count: number): Promise<void>
  /** Commits. */
  release(): Promise<void>
}

const MAX_WAIT_MS = 4000
const POLL_INTERVAL_MS = 5

/** @param query what takes the lock */
export async function holdLock(server: RunningServer, query: Query): Promise<HeldLock> {
  const held = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const done = server.deps.database.transaction(async (transaction) => {
    await transaction.query(query)
    held.resolve()
    await released.promise
  })
  done.catch(held.reject)
  await held.promise
  const release = async () => {
    released.resolve()
    await done
  }
  return {
    release,
    async waitForBlocked(count) {
      const blocked = await pollBlocked(server, count)
      if (blocked < count) await release()
      assert.ok(blocked >= count, `${blocked} requests wait for the lock, ${count} were expected to`)
    },
  }
}

async function pollBlocked(server: RunningServer, count: number): Promise<number> {
  const deadline = Date.now() + MAX_WAIT_MS
  let blocked = await countBlocked(server)
  while (blocked < count && Date.now() < deadline) {
    await delay(POLL_INTERVAL_MS)
    blocked = await countBlocked(server)
  }
  return blocked
}

async function countBlocked(server: RunningServer): Promise<number> {
  const [row] = await server.deps.database.query<{ count: number }>(sql`
    select count(*) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`)
  return row?.count ?? 0
}
