import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const POLL_MS = 100
const MAX_WAIT_MS = 150_000
/** Jobs whose results clients receive. */
const AWAITED = ['publish_thread_follows', 'merge_thread', 'move_replies']

/**
 * Waits for the jobs of threads. A job whose process was killed is tried again after 90 seconds, a job that PostgreSQL
 * interrupted after a few seconds.
 * @returns false after a timeout
 */
export async function finishJobs(connection: pg.ClientConfig): Promise<boolean> {
  const client = new pg.Client(connection)
  await client.connect()
  const deadline = performance.now() + MAX_WAIT_MS
  try {
    let isLeft = await isAnyLeft(client)
    for (; isLeft && performance.now() < deadline; isLeft = await isAnyLeft(client)) await sleep(POLL_MS)
    return !isLeft
  } finally {
    await client.end()
  }
}

async function isAnyLeft(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(
    'select from graphile_worker.jobs where task_identifier = any($1) limit 1',
    [AWAITED],
  )
  return rowCount !== 0
}
