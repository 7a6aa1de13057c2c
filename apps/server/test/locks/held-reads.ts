import { type Query, sql } from '#src/kernel/sql/sql.ts'
import type { RunningServer } from '#src/start.ts'
import { holdLock } from './held-locks.ts'

/** All short reads of the database wait, so that the test decides what happens before they are answered. */
export interface HeldReads {
  /** Resolves when they are answered, and what was asked because of the answers. */
  release(): Promise<void>
  /** Breaks their connections instead. */
  fail(): Promise<void>
}

/** More than the connections that short reads share: each of them waits. */
const READS = 12
/** More than the reads that follow one from the answer to another. */
const ROUNDS = 10

/** Transactions go on meanwhile, and so does what the caches know. */
export async function holdReads(server: RunningServer): Promise<HeldReads> {
  const lock: Query = sql`select pg_advisory_xact_lock(7)`
  const held = await holdLock(server, lock)
  const waiting = readAll(server, lock)
  const release = async () => {
    await held.release()
    await waiting
    for (let round = 0; round < ROUNDS; round += 1) await readAll(server, sql`select 1`)
  }
  return {
    release,
    async fail() {
      await server.deps.database.execute(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`)
      await release()
    },
  }
}

async function readAll(server: RunningServer, query: Query): Promise<void> {
  const { database } = server.deps
  const reads = Array.from({ length: READS }, () => [database.query(query), database.bulk.query(query)])
  await Promise.allSettled(reads.flat())
}
