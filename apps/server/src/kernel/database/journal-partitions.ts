import pg from 'pg'
import { firstIdAt } from '../ids.ts'
import { RESUME_WINDOW_MS } from '../journal/journal.ts'
import { type Query, type Queryable, sql } from '../sql/sql.ts'
import type { Database, Transaction } from './database.ts'

const PARTITION_MS = 6 * 60 * 60 * 1000
/** Partitions made in advance: the upkeep may fail for three days before a write does. */
const PARTITIONS_AHEAD = 12
/** Advisory lock for making partitions: "journal" as ASCII. */
const PARTITION_LOCK = 0x6a6f75726e616c

/**
 * Makes missing partitions of the three days from `now` on. Safe to run at any time, also by several processes: no
 * reader or writer waits for it.
 * @param now in milliseconds since 1970
 */
export async function makePartitions(database: Database, now: number): Promise<void> {
  // Each partition has its own transaction, because one for all could take too long on a busy machine.
  for (const index of await listMissing(database, now))
    await database.transaction(async (transaction) => {
      await giveUpSoon(transaction)
      await transaction.query(sql`select pg_advisory_xact_lock(${PARTITION_LOCK})`)
      const missing = await listMissing(transaction, now)
      if (missing.includes(index)) await makePartition(transaction, index)
    })
}

/**
 * Drops the partitions older than the resume window. Each is detached first, which waits for readers without making
 * others wait. It also completes an interrupted run.
 * @param now in milliseconds since 1970, by the database's clock: a process with a fast clock would drop too much
 */
export async function dropPartitions(database: Database, now: number): Promise<void> {
  const oldest = partitionName(Math.floor((now - RESUME_WINDOW_MS) / PARTITION_MS) - 1)
  const found = await listPartitions(database)
  const past = found.filter(({ name }) => name < oldest)
  // PostgreSQL detaches only one partition at a time.
  const leaving = past.filter(({ state }) => state === 'leaving')
  const others = past.filter(({ state }) => state !== 'leaving')
  try {
    for (const partition of [...leaving, ...others]) await dropPartition(database, partition)
  } catch (error) {
    if (!isTaken(error)) throw error
  }
}

/** Returns the database's time, in milliseconds since 1970. */
export async function databaseTime(database: Queryable): Promise<number> {
  const [row] = await database.query<{ ms: number }>(sql`
    select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms`)
  return row?.ms ?? 0
}

/** `apart`: a table that is not part of the journal, or not yet. `leaving`: a detachment was interrupted. */
type PartitionState = 'apart' | 'leaving' | 'part'

interface Partition {
  name: string
  state: PartitionState
}

async function listPartitions(database: Queryable): Promise<Partition[]> {
  return database.query<Partition>(sql`
    select relname as name,
      case when inhparent is null then 'apart' when inhdetachpending then 'leaving' else 'part' end as state
    from pg_class left join pg_inherits on inhrelid = pg_class.oid
    where relnamespace = (select relnamespace from pg_class where oid = 'events'::regclass)
      and relkind = 'r' and relname ~ '^events_[0-9]{10}$'
    order by relname`)
}

async function listMissing(database: Queryable, now: number): Promise<number[]> {
  const found = await listPartitions(database)
  const present = new Set(found.filter(({ state }) => state === 'part').map(({ name }) => name))
  const current = Math.floor(now / PARTITION_MS)
  return Array.from({ length: PARTITIONS_AHEAD + 2 }, (_, index) => current - 1 + index).filter(
    (index) => !present.has(partitionName(index)),
  )
}

/** Creates a table and attaches it: `create table … partition of` would lock the whole journal. */
async function makePartition(transaction: Transaction, index: number): Promise<void> {
  const name = partitionName(index)
  const [from, to] = [firstIdAt(index * PARTITION_MS), firstIdAt((index + 1) * PARTITION_MS)]
  await transaction.query(
    ddl(`create table if not exists ${name} (like events including defaults including constraints)`),
  )
  await transaction.query(
    ddl(`alter table events attach partition ${name} for values from ('${from}') to ('${to}')`),
  )
}

/** Detaches a partition before it drops it: dropping an attached partition would lock the whole journal. */
async function dropPartition(database: Database, { name, state }: Partition): Promise<void> {
  await database.execute(ddl(steps[state](name)))
  if (state !== 'apart') await database.execute(ddl(steps.apart(name)))
}

const steps: Readonly<Record<PartitionState, (name: string) => string>> = {
  part: (name) => `alter table events detach partition ${name} concurrently`,
  leaving: (name) => `alter table events detach partition ${name} finalize`,
  apart: (name) => `drop table if exists ${name}`,
}

const UNDEFINED_TABLE = '42P01'
const OTHER_STATE = '55000'

/** Returns true for an error that means that another process has dropped or detached the partition. */
function isTaken(error: unknown): boolean {
  return error instanceof pg.DatabaseError && [UNDEFINED_TABLE, OTHER_STATE].includes(error.code ?? '')
}

async function giveUpSoon(transaction: Transaction): Promise<void> {
  await transaction.query(sql`set local lock_timeout = '2s'`)
}

function partitionName(index: number): string {
  return `events_${new Date(index * PARTITION_MS).toISOString().slice(0, 13).replaceAll(/\D/g, '')}`
}

/** A statement with computed names, which cannot be parameters. No user input is part of it. */
function ddl(text: string): Query {
  return { name: '', text, values: [] }
}
