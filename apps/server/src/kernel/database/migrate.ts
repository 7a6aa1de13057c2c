import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { findSnapshot } from './snapshot-names.ts'

const MIGRATIONS = join(import.meta.dirname, '../../../migrations')
const FILE_NAME = /^\d{4}-[a-z0-9-]+\.sql$/
/** Advisory lock: "foyer" as ASCII. */
export const MIGRATION_LOCK = 0x666f796572

/** Table that exists while a restore fills the database. */
export const UNFINISHED_RESTORE = 'unfinished_restore'

/** A migration file. */
interface Migration {
  name: string
  text: string
  checksum: string
}

/** A row of the table of applied migrations. */
interface Applied {
  name: string
  /** Null if it was applied by a version without checksums. */
  checksum: string | null
}

/**
 * Migrates the database to this version: runs the folder's new files in order, each in a transaction of its own.
 * @throws Error, before anything is written, if a newer version has migrated the database, a file differs from
 * the one that was run (docs/decisions/0026-migrations-are-frozen.md), or a restore into the database was not finished
 */
export async function migrate(connection: pg.ClientConfig, folder = MIGRATIONS): Promise<void> {
  await run(connection, await readMigrations(folder), { check: refuseUnfinished })
}

/**
 * Migrates a new database, but leaves a database of an earlier version unchanged.
 * @returns true if the database lacks migrations, and was left unchanged
 */
export async function migrateUnlessUpdate(
  connection: pg.ClientConfig,
  folder = MIGRATIONS,
): Promise<boolean> {
  return run(connection, await readMigrations(folder), { check: refuseUnfinished, leavesUpdates: true })
}

/**
 * Migrates a database that a restore fills.
 * @param applied the migrations of the backup, to run only these
 * @throws Error, before anything is written, if the backup's migrations are of a newer version, or differ from this version's files
 */
export async function migrateUnfinished(
  connection: pg.ClientConfig,
  applied?: readonly Applied[],
  folder = MIGRATIONS,
): Promise<void> {
  const migrations = await readMigrations(folder)
  const check = async () => undefined
  if (applied === undefined) {
    await run(connection, migrations, { check })
    return
  }
  await refuseNewer(migrations, applied)
  refuseChanged(migrations, applied)
  const names = new Set(applied.map(({ name }) => name))
  const chosen = migrations.filter(({ name }) => names.has(name))
  await run(connection, chosen, { check })
}

/** Returns the first of the migrations that this version does not have. */
export async function findUnknownMigration(
  names: readonly string[],
  folder = MIGRATIONS,
): Promise<string | undefined> {
  const known = new Set((await readMigrations(folder)).map(({ name }) => name))
  return names.find((name) => !known.has(name))
}

async function run(
  connection: pg.ClientConfig,
  migrations: readonly Migration[],
  { check, leavesUpdates = false }: { check: (client: pg.Client) => Promise<void>; leavesUpdates?: boolean },
): Promise<boolean> {
  const client = new pg.Client({ ...connection, application_name: 'foyer migrate' })
  // A lost connection also fails the running statement. Without a listener, its event would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    // A session lock: processes that start together wait here for the first.
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK])
    await check(client)
    const applied = await listApplied(client)
    await refuseNewer(migrations, applied, client)
    refuseChanged(migrations, applied)
    const pending = pendingOf(migrations, applied)
    if (leavesUpdates && applied.length > 0 && pending.length > 0) return true
    await keepChecksums(client, migrations)
    for (const migration of pending) await apply(client, migration)
    return false
  } finally {
    await client.end()
  }
}

/**
 * Checks that this version has migrated the database, without writing anything.
 * @throws Error for a database of another version, and for an unused database
 */
export async function checkMigrated(connection: pg.ClientConfig, folder = MIGRATIONS): Promise<void> {
  const migrations = await readMigrations(folder)
  const client = new pg.Client({ ...connection, application_name: 'foyer check' })
  await client.connect()
  try {
    await refuseUnfinished(client)
    const applied = await listApplied(client)
    await refuseNewer(migrations, applied, client)
    const pending = pendingOf(migrations, applied)[0]
    if (pending !== undefined)
      throw new Error(
        `The server has not migrated this database yet (migration ${pending.name}): start it once`,
      )
  } finally {
    await client.end()
  }
}

/** Refuses a database whose restore was not finished: half of a backup must be neither served nor migrated. */
async function refuseUnfinished(client: pg.Client): Promise<void> {
  const { rows } = await client.query(`select where to_regclass('${UNFINISHED_RESTORE}') is not null`)
  if (rows.length === 0) return
  throw new Error(
    'A restore into this database was not finished: create an empty database, and run npm run restore again',
  )
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  names.forEach(checkName)
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8')
      return { name, text, checksum: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

/** Refuses wrong names, and repeated numbers: two branches' migrations would run in an order that was never tested. */
function checkName(name: string, index: number, names: string[]): void {
  if (!FILE_NAME.test(name)) throw new Error(`Migration ${name} must be named like 0001-some-words.sql`)
  const previous = names[index - 1]
  if (previous?.slice(0, 4) === name.slice(0, 4)) {
    throw new Error(`Migrations ${previous} and ${name} have the same number`)
  }
}

async function listApplied(client: pg.Client): Promise<Applied[]> {
  const { rows: tables } = await client.query("select where to_regclass('migrations') is not null")
  if (tables.length === 0) return []
  // Selects all columns, because `checksum` does not exist before a version with checksums has started.
  const { rows } = await client.query<{ name: string; checksum?: string | null }>(
    'select * from migrations order by name',
  )
  return rows.map(({ name, checksum = null }) => ({ name, checksum }))
}

/**
 * Refuses a database of a newer version, because this version does not know its changes, and could break them.
 * @param client connected to the database, unless it is a backup
 */
async function refuseNewer(
  migrations: readonly Migration[],
  applied: readonly Applied[],
  client?: pg.Client,
): Promise<void> {
  const known = new Set(migrations.map(({ name }) => name))
  const unknown = applied.findLast(({ name }) => !known.has(name))
  if (unknown === undefined) return
  const kept = client === undefined ? undefined : await findSnapshot(client)
  throw new Error(
    `A newer version of Foyer has changed this database (migration ${unknown.name}): start that version or a later one, or ` +
      (kept === undefined
        ? 'restore the backup from before the upgrade'
        : `run npm run rollback to go back to ${
            kept.version === null ? 'the version that ran before' : `version ${kept.version}`
          } and its data of ${kept.madeAt}`),
  )
}

function refuseChanged(migrations: readonly Migration[], applied: readonly Applied[]): void {
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]))
  const changed = migrations.find(({ name, checksum }) => (checksums.get(name) ?? checksum) !== checksum)
  if (changed === undefined) return
  throw new Error(
    `Migration ${changed.name} was changed after it ran on this database: restore the file of the version that ran ` +
      'it, and write the change as a new migration',
  )
}

function pendingOf(migrations: readonly Migration[], applied: readonly Applied[]): Migration[] {
  const names = new Set(applied.map(({ name }) => name))
  return migrations.filter(({ name }) => !names.has(name))
}

/** Adds checksums of the current files to rows that have none. */
async function keepChecksums(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  await client.query(
    'create table if not exists migrations (name text primary key, applied_at timestamptz not null default now())',
  )
  await client.query('alter table migrations add column if not exists checksum text')
  await client.query(
    `update migrations set checksum = files.checksum
    from unnest($1::text[], $2::text[]) as files (name, checksum)
    where migrations.name = files.name and migrations.checksum is null`,
    [migrations.map(({ name }) => name), migrations.map(({ checksum }) => checksum)],
  )
}

async function apply(client: pg.Client, { name, text, checksum }: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(text)
    await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum])
    await client.query('commit')
  } catch (cause) {
    await client.query('rollback')
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(`Migration ${name} failed and was rolled back: ${reason}`, { cause })
  }
}
