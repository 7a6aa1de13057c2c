import { type Query, sql } from '#src/kernel/sql/sql.ts'
import type { RunningServer } from '#src/start.ts'
import { holdLock } from './held-locks.ts'

/** Holds all short reads of the database, so that a test controls what happens before they are answered. */
export interface HeldReads {
  /** Resolves when the reads are answered, and all reads that follow from their results. */
  release(): Promise<void>
  /** Breaks the connections of the reads instead. */
  fail(): Promise<void>
}

/** Number of blocking reads to send: more than there are connections for short reads. */
const READS = 12
/** Number of rounds of reads to wait for after the release: more than any chain of dependent reads has. */
const ROUNDS = 10

/** Blocks all short reads. Transactions and caches keep working. */
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
