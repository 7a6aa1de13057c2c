import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import type { Config } from '#src/config.ts'
import { openStores } from '#src/files/objects/parts.ts'
import type { Stores } from '#src/files/objects/stores.ts'
import { BackupError } from './backup-error.ts'
import { type Earlier, readEarlier } from './earlier.ts'
import { copyFiles, type FileCopies } from './file-copies.ts'
import type { SourceFile } from './file-parts.ts'
import { checkStillOurs, holdMigrations, installationOf, refuseForeign, takeBackupLock } from './guards.ts'
import { type Manifest, type TableEntry, writeManifest } from './manifest.ts'
import { deleteUnnamed, pruneRepository } from './pruning.ts'
import { fingerprintOf, secretKeyIn } from './repository-key.ts'
import { listSourceFiles } from './sources.ts'
import { storeTable, type Vault } from './table-parts.ts'
import { listSequences, listTables, openClient, type Sequence } from './tables.ts'
import { WrittenParts } from './written-parts.ts'

export interface Taking {
  vault: Vault
  config: Config
  connection: pg.ClientConfig
  withSpaceBuckets: boolean
  /** Number of backups to keep. */
  keep: number
  /** True for a backup that the server makes by itself, false for a person on the command line. */
  isScheduled: boolean
  report: (line: string) => void
}

export interface TakenBackup {
  name: string
  manifest: Manifest
  copiedBytes: number
  /** Names of older backups that were deleted. */
  removed: string[]
}

/** Files of DATA_DIR to back up besides the database and the uploaded files. */
const EXTRAS = ['secret.key']

/**
 * Backs up the database and the files while the server runs, and deletes old backups. One transaction reads all tables,
 * so they are from the same moment. The backup lock keeps files from being deleted until the end.
 * @throws BackupError
 */
export async function takeBackup(taking: Taking): Promise<TakenBackup> {
  await using stack = new AsyncDisposableStack()
  const { connection, vault, report, keep, isScheduled } = taking
  const { client: present, close } = await openClient(connection, 'backup')
  stack.defer(close)
  await takeBackupLock(present)
  const installation = await installationOf(present)
  const earlier = await readEarlier(vault, report)
  if (isScheduled) refuseForeign(vault, earlier, installation)
  if (earlier.areAllKnown) await deleteUnnamed(vault, earlier)
  const written = new WrittenParts(vault.repository)
  const writing = { ...taking, vault: { ...vault, repository: written } }
  const copied = await copyAll(writing, { present, earlier, installation }).catch(async (error: unknown) => {
    await written.discard()
    throw error
  })
  const name = await writeManifest(vault.repository, vault.key, copied.manifest)
  const removed = await pruneRepository(vault, keep)
  return { ...copied, name, removed }
}

interface Setting {
  present: pg.Client
  earlier: Earlier
  installation: string | null
}

async function copyAll(
  taking: Taking,
  { present, earlier, installation }: Setting,
): Promise<Pick<TakenBackup, 'manifest' | 'copiedBytes'>> {
  await using stack = new AsyncDisposableStack()
  const { config, vault, report } = taking
  const extras = await readExtras(config.dataDir)
  const secretKey = config.secretKey ?? keyIn(extras, config.dataDir)
  const { stores, outgoing, trusted } = openStores(config, secretKey)
  stack.defer(() => outgoing.close())
  stack.defer(() => trusted.close())
  const { database, sources } = await readSnapshot(taking, stores)
  report(`database: ${countRows(database.tables)} rows`)
  const ownFolder = config.s3 === undefined ? join(config.dataDir, 'files') : undefined
  const files = await copyFiles({ vault, client: present, earlier, ownFolder, report }, sources)
  const manifest = manifestOf(config, { ...database, files, extras, secretKey, installation })
  await checkStillOurs({ vault, manifest, client: present, settings: config.backup })
  return { manifest, copiedBytes: files.copiedBytes }
}

async function readSnapshot(
  taking: Taking,
  stores: Stores,
): Promise<{ database: DatabaseCopy; sources: SourceFile[] }> {
  await using stack = new AsyncDisposableStack()
  const { client, close } = await openClient(taking.connection, 'backup snapshot')
  stack.defer(close)
  await holdMigrations(client)
  await client.query('begin isolation level repeatable read read only')
  const database = await copyDatabase(taking, client)
  const sources = await listSourceFiles(client, stores, taking.withSpaceBuckets)
  // A long transaction would keep PostgreSQL from vacuuming dead rows.
  await client.query('commit')
  return { database, sources }
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
  copy: DatabaseCopy & {
    files: FileCopies
    extras: Record<string, string>
    secretKey: string
    installation: string | null
  },
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
    installation: copy.installation,
  }
}

function keyIn(extras: Record<string, string>, dataDir: string): string {
  const key = secretKeyIn(extras)
  if (key !== undefined) return key
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
