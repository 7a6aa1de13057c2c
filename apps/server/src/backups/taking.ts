import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import type { Config } from '#src/config.ts'
import { openStores } from '#src/files/parts.ts'
import { BACKUP_LOCK } from '#src/kernel/database/backup-lock.ts'
import { BackupError, wordsOf } from './backup-error.ts'
import { copyFiles, type FileCopies } from './file-copies.ts'
import { listSnapshots, type Manifest, readManifest, type TableEntry, writeManifest } from './manifest.ts'
import { fingerprintOf } from './repository-key.ts'
import { listSourceFiles } from './sources.ts'
import { storeTable, type Vault } from './table-parts.ts'
import { listSequences, listTables, openClient, type Sequence } from './tables.ts'

export interface Taking {
  vault: Vault
  config: Config
  connection: pg.ClientConfig
  withSpaceBuckets: boolean
  report: (line: string) => void
}

export interface TakenBackup {
  name: string
  manifest: Manifest
  copiedBytes: number
}

/** Files of DATA_DIR that belong to a backup besides the database and the people's files. */
const EXTRAS = ['secret.key']

/**
 * Backs up the database and the files while the server runs. All tables are read in one transaction, which sees the
 * database as it was at one moment, and files are not deleted until the end.
 * @throws BackupError
 */
export async function takeBackup(taking: Taking): Promise<TakenBackup> {
  await using stack = new AsyncDisposableStack()
  const { config, connection, vault } = taking
  const extras = await readExtras(config.dataDir)
  const secretKey = config.secretKey ?? keyIn(extras, config.dataDir)
  const { stores, outgoing, trusted } = openStores(config, secretKey)
  stack.defer(() => outgoing.close())
  stack.defer(() => trusted.close())
  const { client: present, close: closePresent } = await openClient(connection, 'backup')
  stack.defer(closePresent)
  await lock(present)
  const earlier = await readEarlier(taking)
  const { client: snapshot, close: closeSnapshot } = await openClient(connection, 'backup snapshot')
  stack.defer(closeSnapshot)
  await snapshot.query('begin isolation level repeatable read read only')
  const database = await copyDatabase(taking, snapshot)
  const sources = await listSourceFiles(snapshot, stores, taking.withSpaceBuckets)
  // A long transaction would keep PostgreSQL from cleaning up.
  await snapshot.query('commit')
  taking.report(`database: ${countRows(database.tables)} rows`)
  const files = await copyFiles({ vault, client: present, earlier, report: taking.report }, sources)
  const manifest = manifestOf(taking.config, { ...database, files, extras, secretKey })
  const name = await writeManifest(vault.repository, vault.key, manifest)
  return { name, manifest, copiedBytes: files.copiedBytes }
}

/** One backup at a time: two would delete each other's parts. While the lock is held, no file is deleted. */
async function lock(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ is_ours: boolean }>('select pg_try_advisory_lock($1) as is_ours', [
    BACKUP_LOCK,
  ])
  if (rows[0]?.is_ours !== true) throw new BackupError('another backup of this server is running')
}

/** A damaged backup cannot lend its files. The others and this one are not affected. */
async function readEarlier({ vault, report }: Taking): Promise<Manifest[]> {
  const found: Manifest[] = []
  for (const name of await listSnapshots(vault.repository))
    await readManifest(vault.repository, vault.key, name).then(
      (manifest) => found.push(manifest),
      (error: unknown) => report(`warning: ${wordsOf(error)}`),
    )
  return found
}

interface DatabaseCopy {
  madeAt: Date
  tables: TableEntry[]
  sequences: Sequence[]
  migrations: Manifest['migrations']
}

async function copyDatabase({ vault, report }: Taking, client: pg.Client): Promise<DatabaseCopy> {
  const { rows: migrations } = await client.query<Manifest['migrations'][number]>(
    'select name, checksum from migrations order by name',
  )
  const madeAt = new Date()
  const tables: TableEntry[] = []
  for (const table of await listTables(client)) {
    const entry = await storeTable(vault, client, table)
    if (entry.parts.length > 1) report(`${entry.name}: ${entry.rows} rows`)
    tables.push(entry)
  }
  return { madeAt, tables, sequences: await listSequences(client), migrations }
}

function countRows(tables: readonly TableEntry[]): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0)
}

function manifestOf(
  { version }: Config,
  copy: DatabaseCopy & { files: FileCopies; extras: Record<string, string>; secretKey: string },
): Manifest {
  const { files, missing } = copy.files
  return {
    format: 1,
    made_at: copy.madeAt.toISOString(),
    server_version: version,
    migrations: copy.migrations,
    tables: copy.tables,
    sequences: copy.sequences,
    files,
    missing,
    extras: copy.extras,
    secret_key_fingerprint: fingerprintOf(copy.secretKey),
  }
}

function keyIn(extras: Record<string, string>, dataDir: string): string {
  const kept = extras['secret.key']
  if (kept !== undefined) return Buffer.from(kept, 'base64').toString('utf8').trim()
  throw new BackupError(
    `DATA_DIR ${dataDir} has no secret.key: run the backup with the settings of the server`,
  )
}

async function readExtras(dataDir: string): Promise<Record<string, string>> {
  const extras: Record<string, string> = {}
  for (const name of EXTRAS) {
    const bytes = await readFile(join(dataDir, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
    if (bytes !== undefined) extras[name] = bytes.toString('base64')
  }
  return extras
}
