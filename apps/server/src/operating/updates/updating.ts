import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Logger } from 'pino'
import { migrate, migrateUnlessUpdate } from '#src/kernel/database/migrate.ts'
import { COPY, KEPT } from '#src/kernel/database/snapshot-names.ts'
import { findVersion, type Version } from '#src/kernel/database/versions.ts'
import { wordsOf } from '#src/kernel/error-words.ts'
import { copyDatabase } from './copying.ts'
import { checkSpace, isDiskFull } from './disk-space.ts'
import { NoSnapshot } from './no-snapshot.ts'
import { describeVersion, removeRecord, writeRecord } from './records.ts'
import {
  type Beside,
  connectionTo,
  dropDatabase,
  isInUse,
  isRefusal,
  openBeside,
  rename,
  withClient,
} from './server-databases.ts'
import { nameSessions } from './sessions.ts'
import { dropLeftovers, retireKept } from './swapping.ts'

/** Time for sessions to end, such as those of a server that is stopping. */
const UNUSED_MS = 10_000
const POLL_MS = 20
/** Attempts to copy the database undisturbed. A program such as monitoring may connect during a copy. */
const ATTEMPTS = 3

export interface Update {
  connection: pg.ClientConfig
  /** DATA_DIR if it contains the database. */
  dataDir: string | undefined
  /** Days for which the database from before is kept; 0 for no snapshot. */
  days: number
  log: Pick<Logger, 'info' | 'warn'>
  /** Migrates the job queue of a database. */
  migrateQueue: (connection: pg.ClientConfig) => Promise<void>
  /** Folder of migrations to use instead of the server's. */
  migrations?: string
  /** Only for tests, which would otherwise take too long. */
  unusedMs?: number
  /** Only for tests: called between the end of the copy and the moment from which connections are refused. */
  onCopied?: () => Promise<void>
}

/**
 * Migrates the database to this version. If an earlier version has used it, a copy is migrated and replaces it: the
 * original is kept, and any failure or kill leaves either the old state or the new one. If no copy can be made, because
 * of missing permissions or connected processes, the database itself is migrated, as in a rolling update.
 * @throws Error with a message for the operator; nothing is changed then
 */
export async function migrateSafely(update: Update): Promise<void> {
  if (update.days === 0) return migrateInPlace(update, 'UPDATE_SNAPSHOT_DAYS is 0')
  const beside = await openBeside(update.connection).catch(reasonOf)
  if (typeof beside === 'string') return migrateInPlace(update, beside)
  try {
    if (!(await migrateUnlessUpdate(update.connection, update.migrations))) return
    const reason = await updateOnCopy(update, beside).catch(reasonOf)
    // Still under the lock: a waiting process would otherwise copy the migrated database as the earlier state.
    if (reason !== undefined) await migrateInPlace(update, reason)
  } finally {
    await beside.admin.end()
  }
}

/** @param reason why there is no copy */
async function migrateInPlace({ connection, migrations, log }: Update, reason: string): Promise<void> {
  if (!(await migrateUnlessUpdate(connection, migrations))) return
  log.warn(`this update has no snapshot to go back to: ${reason}`)
  await migrate(connection, migrations)
}

function reasonOf(error: unknown): string {
  if (error instanceof NoSnapshot) return error.message
  throw error
}

async function updateOnCopy(update: Update, beside: Beside): Promise<undefined> {
  const { connection, log } = update
  await dropLeftovers(beside)
  const from = await withClient(connection, async (client) => {
    await refuseTied(client)
    return findVersion(client)
  })
  if (update.dataDir !== undefined) await checkSpace(beside, update.dataDir)
  log.info('updating a copy of the database')
  await updateUndisturbed(update, beside, from)
  await dropLeftovers(beside)
  log.info(`the database of ${describeVersion(from)} is kept: npm run rollback goes back to it`)
}

/** @throws NoSnapshot if the database was used during each copy */
async function updateUndisturbed(update: Update, beside: Beside, from: Version | undefined): Promise<void> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) if (await updateOnce(update, beside, from)) return
  throw new NoSnapshot('other programs keep connecting to the database')
}

/** @throws NoSnapshot for a database with a part elsewhere, which a copy would lack */
async function refuseTied(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ what: string }>(
    `select 'the database is distributed by Citus' as what from pg_extension where extname = 'citus'
    union all
    select 'the replication slot ' || slot_name || ' belongs to the database'
    from pg_replication_slots where database = current_database()`,
  )
  if (rows[0] !== undefined) throw new NoSnapshot(rows[0].what)
}

/** @returns false if the database was used while it was copied */
async function updateOnce(update: Update, beside: Beside, from: Version | undefined): Promise<boolean> {
  const sessions = await awaitUnused(beside, update.unusedMs ?? UNUSED_MS)
  try {
    await copyDatabase(beside)
    await update.onCopied?.()
    const isDone = await takePlace(update, beside, { sessions, from })
    if (!isDone) await dropDatabase(beside, beside.name + COPY)
    return isDone
  } catch (error) {
    // Ends the transaction. Databases that cannot be dropped now are dropped by the next start.
    await beside.admin.query('rollback').catch(() => undefined)
    await dropDatabase(beside, beside.name + COPY).catch(() => undefined)
    throw explained(error)
  }
}

/**
 * Migrates the copy and gives it the name of the original, in one transaction. The renaming of the original closes it to
 * connections. Returns false if the original was used since the copy began.
 */
async function takePlace(
  update: Update,
  beside: Beside,
  { sessions, from }: { sessions: string; from: Version | undefined },
): Promise<boolean> {
  const { admin, name } = beside
  const [copy, before] = [name + COPY, name + KEPT.before]
  await admin.query('begin')
  // Newer data kept by a rollback is not replaced, because the newer code may have been started by mistake.
  await retireKept(beside, 'after')
  await rename(beside, name, before)
  if ((await countSessions(admin, before)) !== sessions) {
    await admin.query('rollback')
    return false
  }
  await migrateCopy(update, connectionTo(update.connection, copy), from)
  await rename(beside, copy, name)
  await writeRecord(beside, before, from)
  await removeRecord(beside, name)
  await admin.query('commit')
  return true
}

async function migrateCopy(
  { migrations, migrateQueue }: Update,
  copy: pg.ClientConfig,
  from: Version | undefined,
): Promise<void> {
  try {
    await migrate(copy, migrations)
    await migrateQueue(copy)
  } catch (cause) {
    const advice = isDiskFull(cause) ? 'free disk space, or start' : 'you can start'
    throw new UpdateFailed(
      `${wordsOf(cause)}; this was a copy of the database: nothing has changed; ${advice} ${describeVersion(from)} again`,
      { cause },
    )
  }
}

/** Waits until no program uses the database. @returns the number of sessions that it has had */
async function awaitUnused({ admin, name }: Beside, unusedMs: number): Promise<string> {
  const deadline = performance.now() + unusedMs
  for (;;) {
    const sessions = await nameSessions(admin, [name])
    if (sessions === '') return countSessions(admin, name)
    if (performance.now() > deadline)
      throw new NoSnapshot(
        `other processes are connected to the database, as in a rolling update: ${sessions}`,
      )
    await sleep(POLL_MS)
  }
}

/** Returns how many sessions the database has had. PostgreSQL counts a session at its end, if not before. */
async function countSessions(admin: pg.Client, database: string): Promise<string> {
  const { rows } = await admin.query<{ count: string }>(
    'select pg_stat_get_db_sessions(oid)::text as count from pg_database where datname::text = $1',
    [database],
  )
  return rows[0]?.count ?? ''
}

/** An error with a message for the operator. */
class UpdateFailed extends Error {}

function explained(error: unknown): unknown {
  if (error instanceof UpdateFailed) return error
  if (isInUse(error)) return new NoSnapshot('other processes are connected to the database')
  if (isRefusal(error)) return new NoSnapshot(wordsOf(error))
  return new UpdateFailed(wordsOfTrouble(error), { cause: error })
}

function wordsOfTrouble(error: unknown): string {
  const without = 'free disk space, or set UPDATE_SNAPSHOT_DAYS=0 to update without a copy'
  if (isDiskFull(error))
    return `The disk is too full for the copy of the database on which the update is tried: nothing has changed; ${without}`
  // PostgreSQL does not always report a full disk as such.
  if (error instanceof pg.DatabaseError)
    return `The update could not be tried on a copy of the database (${error.message}): nothing has changed; if the disk is full, ${without}`
  return `The database went away during the update (${wordsOf(error)}), which is now made or not at all: start again`
}
