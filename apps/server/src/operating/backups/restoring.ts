import { join } from 'node:path'
import type pg from 'pg'
import type { Config } from '#src/config.ts'
import { openStores } from '#src/files/objects/parts.ts'
import type { Stores } from '#src/files/objects/stores.ts'
import { eachOf } from '#src/kernel/at-once.ts'
import { findUnknownMigration } from '#src/kernel/database/migrate.ts'
import { wordsOf } from '#src/kernel/error-words.ts'
import { writeDurably } from '#src/kernel/storage/durable-files.ts'
import type { ObjectStore } from '#src/kernel/storage/object-store.ts'
import { BackupError, DamagedBackup } from './backup-error.ts'
import { launchForRestore } from './embedded-restore.ts'
import { markFinished, markUnfinished } from './empty-database.ts'
import { placeFile, readFileParts } from './file-parts.ts'
import { fillDatabase } from './filling.ts'
import { FolderWriter } from './folder-writer.ts'
import type { FileEntry, Manifest } from './manifest.ts'
import type { Content } from './repository.ts'
import { fingerprintOf, secretKeyIn } from './repository-key.ts'
import { storesOfBuckets } from './sources.ts'
import { openStaging, type Staging } from './staging.ts'
import type { Vault } from './table-parts.ts'
import { openClient } from './tables.ts'

/** Files restored simultaneously. */
const AT_ONCE = 4

export interface Restoring {
  vault: Vault
  manifest: Manifest
  config: Config
  report: (line: string) => void
}

export interface Restored {
  /** False if this run only completed an earlier restore that was killed in its last step. */
  isNew: boolean
  /** Keys of files that were not restored, because their parts are damaged. */
  damaged: string[]
}

/**
 * Restores a backup into an empty DATA_DIR, and into an empty database if DATABASE_URL is set. No server can start on
 * either until everything is copied and verified.
 * @throws BackupError
 */
export async function restoreBackup(restoring: Restoring): Promise<Restored> {
  const { config, manifest } = restoring
  await refuseNewer(manifest)
  const secretKey = secretKeyOf(manifest, config)
  await using stack = new AsyncDisposableStack()
  const staging = await openStaging(config.dataDir)
  stack.defer(() => staging.close())
  const isNew = !staging.isComplete
  const connectionString = config.directDatabaseUrl ?? config.databaseUrl
  if (connectionString === undefined) {
    const damaged = isNew ? await restoreEmbedded(restoring, staging, secretKey) : []
    await staging.moveIntoPlace(async () => undefined)
    return { isNew, damaged }
  }
  const { client, close } = await openClient({ connectionString }, 'restore')
  stack.defer(close)
  if (isNew) await markUnfinished(client, staging.id)
  const target = { staging, secretKey, connection: { connectionString }, client }
  const damaged = isNew ? await restoreAll(restoring, target) : []
  await staging.moveIntoPlace(() => markFinished(client, staging.id))
  return { isNew, damaged }
}

async function restoreEmbedded(restoring: Restoring, staging: Staging, secretKey: string): Promise<string[]> {
  await using stack = new AsyncDisposableStack()
  const postgres = await launchForRestore(staging.path)
  stack.defer(() => postgres.stop())
  try {
    const { connection } = postgres
    const { client, close } = await openClient(connection, 'restore')
    stack.defer(close)
    const damaged = await restoreAll(restoring, { staging, secretKey, connection, client })
    await client.query('checkpoint')
    return damaged
  } catch (error) {
    throw postgres.trouble === undefined ? error : new BackupError(postgres.trouble, { cause: error })
  }
}

interface Target {
  staging: Staging
  secretKey: string
  connection: pg.ClientConfig
  client: pg.Client
}

/** The stores to which files are restored. */
interface Destinations {
  stores: Stores
  buckets: ReadonlyMap<string, ObjectStore>
}

/** Returns the keys of damaged files. */
async function restoreAll(restoring: Restoring, target: Target): Promise<string[]> {
  const { vault, manifest, report, config } = restoring
  const { staging, secretKey, connection, client } = target
  for (const [name, base64] of Object.entries(manifest.extras))
    await writeDurably(join(staging.path, name), Buffer.from(base64, 'base64').toString('utf8'))
  await fillDatabase({ vault, manifest, connection, client, report })
  const { stores, outgoing, trusted } = openStores({ ...config, dataDir: staging.path }, secretKey)
  try {
    return await placeFiles(restoring, { staging, stores, buckets: await storesOfBuckets(client, stores) })
  } finally {
    await Promise.all([outgoing.close(), trusted.close()])
  }
}

/** Restores the files, and returns the keys of damaged ones. Files in DATA_DIR are synced together at the end. */
async function placeFiles(
  restoring: Restoring,
  { staging, stores, buckets }: Pick<Target, 'staging'> & Destinations,
): Promise<string[]> {
  const { vault, manifest, config, report } = restoring
  report(`files: ${manifest.files.length}`)
  const writer = new FolderWriter(staging.path, 'tmp')
  const place = async (file: FileEntry) => {
    if (file.bucket !== undefined) await placeInBucket(restoring, buckets.get(file.bucket), file)
    else if (config.s3 === undefined) await writer.write(`files/${file.key}`, contentOfFile(vault, file))
    else await placeFile(vault, stores.own, file)
  }
  const damaged: string[] = []
  const placeWhole = (file: FileEntry) =>
    place(file).catch((error: unknown) => {
      if (!(error instanceof DamagedBackup)) throw error
      damaged.push(file.key)
      report(`warning: the file ${file.key} is not restored: ${error.message}`)
    })
  await eachOf(manifest.files, AT_ONCE, placeWhole)
  await writer.flush()
  return damaged.sort()
}

function contentOfFile(vault: Vault, file: FileEntry): Content {
  return { sizeBytes: file.size, open: () => readFileParts(vault, file) }
}

/** Restores a file to a space's own bucket, which usually still has it. A bucket that fails does not end the restore. */
async function placeInBucket(
  { vault, report }: Restoring,
  store: ObjectStore | undefined,
  file: FileEntry,
): Promise<void> {
  try {
    if ((await store?.sizeOf(file.key)) === file.size) return
    if (store === undefined) throw new BackupError('its bucket is not known')
    await placeFile(vault, store, file)
  } catch (error) {
    if (error instanceof DamagedBackup) throw error
    report(`warning: the file ${file.key} is not in its space's bucket: ${wordsOf(error)}`)
  }
}

async function refuseNewer({ migrations }: Manifest): Promise<void> {
  const unknown = await findUnknownMigration(migrations.map(({ name }) => name))
  if (unknown === undefined) return
  throw new BackupError(
    `the backup was made by a newer version of Foyer (migration ${unknown}): restore it with that version or a later one`,
  )
}

/** @throws BackupError for another secret key, which would make the backup's sessions, links and sealed secrets void */
function secretKeyOf({ extras, secret_key_fingerprint }: Manifest, { secretKey }: Config): string {
  const key = secretKey ?? secretKeyIn(extras)
  if (key === undefined) throw new BackupError('the backup was made with SECRET_KEY set: set the same one')
  if (fingerprintOf(key) === secret_key_fingerprint) return key
  throw new BackupError('SECRET_KEY is not the one of the backup: set the same one, or none if none was set')
}
