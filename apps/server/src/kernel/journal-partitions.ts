import pg from 'pg'
import type { Database, Transaction } from './database.ts'
import { firstIdAt } from './ids.ts'
import { RESUME_WINDOW_MS } from './journal.ts'
import { type Query, type Queryable, sql } from './sql.ts'

const PARTITION_MS = 6 * 60 * 60 * 1000
/** Partitions made ahead: three days in which the upkeep may fail before a write would. */
const PARTITIONS_AHEAD = 12
/** "journal" as ASCII: whoever makes partitions holds it. */
const PARTITION_LOCK = 0x6a6f75726e616c

/**
 * Makes the partitions of the three days from a time on, where they are missing. Safe to run at any time, by several at
 * once: nobody who writes or reads waits for it.
 * @param now in milliseconds since 1970
 */
export async function makePartitions(database: Database, now: number): Promise<void> {
  // Each by itself: all of them at once are more than a busy machine may do in one transaction.
  for (const index of await listMissing(database, now))
    await database.transaction(async (transaction) => {
      await giveUpSoon(transaction)
      await transaction.query(sql`select pg_advisory_xact_lock(${PARTITION_LOCK})`)
      const missing = await listMissing(transaction, now)
      if (missing.includes(index)) await makePartition(transaction, index)
    })
}

/**
 * Drops the partitions that are past the resume window. Each is first detached, which waits for who reads it and lets
 * nobody else wait; what an earlier run could not finish is finished.
 * @param now in milliseconds since 1970, by the database's clock: a process whose own is ahead would drop too much
 */
export async function dropPartitions(database: Database, now: number): Promise<void> {
  const oldest = partitionName(Math.floor((now - RESUME_WINDOW_MS) / PARTITION_MS) - 1)
  const found = await listPartitions(database)
  const past = found.filter(({ name }) => name < oldest)
  // One can be on its way out at a time.
  const leaving = past.filter(({ standing }) => standing === 'leaving')
  const others = past.filter(({ standing }) => standing !== 'leaving')
  try {
    for (const partition of [...leaving, ...others]) await dropPartition(database, partition)
  } catch (error) {
    if (!isTaken(error)) throw error
  }
}

/** The database's clock, in milliseconds since 1970. */
export async function databaseTime(database: Queryable): Promise<number> {
  const [row] = await database.query<{ ms: number }>(sql`
    select (extract(epoch from clock_timestamp()) * 1000)::bigint as ms`)
  return row?.ms ?? 0
}

/** `apart`: no longer, or not yet, a part of the journal. `leaving`: a detachment was broken off. */
type Standing = 'apart' | 'leaving' | 'part'

interface Partition {
  name: string
  standing: Standing
}

async function listPartitions(database: Queryable): Promise<Partition[]> {
  return database.query<Partition>(sql`
    select relname as name,
      case when inhparent is null then 'apart' when inhdetachpending then 'leaving' else 'part' end as standing
    from pg_class left join pg_inherits on inhrelid = pg_class.oid
    where relnamespace = (select relnamespace from pg_class where oid = 'events'::regclass)
      and relkind = 'r' and relname ~ '^events_[0-9]{10}$'
    order by relname`)
}

async function listMissing(database: Queryable, now: number): Promise<number[]> {
  const found = await listPartitions(database)
  const present = new Set(found.filter(({ standing }) => standing === 'part').map(({ name }) => name))
  const current = Math.floor(now / PARTITION_MS)
  return Array.from({ length: PARTITIONS_AHEAD + 2 }, (_, index) => current - 1 + index).filter(
    (index) => !present.has(partitionName(index)),
  )
}

/** `create table … partition of` would lock the journal against everybody; to attach one does not. */
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

/** To drop a partition would lock the journal against everybody; one that was detached is a table by itself. */
async function dropPartition(database: Database, { name, standing }: Partition): Promise<void> {
  await database.execute(ddl(steps[standing](name)))
  if (standing !== 'apart') await database.execute(ddl(steps.apart(name)))
}

const steps: Readonly<Record<Standing, (name: string) => string>> = {
  part: (name) => `alter table events detach partition ${name} concurrently`,
  leaving: (name) => `alter table events detach partition ${name} finalize`,
  apart: (name) => `drop table if exists ${name}`,
}

const UNDEFINED_TABLE = '42P01'
const OTHER_STATE = '55000'

/** What the database says when the partition is gone, or on its way out, because another process is at the same. */
function isTaken(error: unknown): boolean {
  return error instanceof pg.DatabaseError && [UNDEFINED_TABLE, OTHER_STATE].includes(error.code ?? '')
}

async function giveUpSoon(transaction: Transaction): Promise<void> {
  await transaction.query(sql`set local lock_timeout = '2s'`)
}

function partitionName(index: number): string {
  return `events_${new Date(index * PARTITION_MS).toISOString().slice(0, 13).replaceAll(/\D/g, '')}`
}

/** A statement whose names cannot be parameters; it is made of nothing that a user said. */
function ddl(text: string): Query {
  return { name: '', text, values: [] }
}
