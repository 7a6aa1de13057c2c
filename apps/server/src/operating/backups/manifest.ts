import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import { type Static, Type } from 'typebox'
import { Check } from 'typebox/value'
import { BackupError } from './backup-error.ts'
import { contentOf, type Repository } from './repository.ts'
import { sealAll, unsealAll } from './sealed-frames.ts'

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** Tolerated difference between the clocks of machines. */
const WRONG_CLOCK_MS = 10 * 60 * 1000

const Text = Type.String()
const Count = Type.Integer({ minimum: 0 })

const TableEntry = Type.Object({
  /** Table name, with the prefix `graphile_worker.` for tables of the job queue. */
  name: Text,
  columns: Type.Array(Text),
  rows: Count,
  /** Sum of the rows' SHA-256, independent of their order. */
  checksum: Text,
  /** Ids of the parts, in order. */
  parts: Type.Array(Text),
})
export type TableEntry = Static<typeof TableEntry>

const FileEntry = Type.Object({
  key: Text,
  size: Count,
  sha256: Text,
  /** Ids of the parts, in order. */
  parts: Type.Array(Text),
  /** Id of the space's own bucket that has the file; omitted for the server's storage. */
  bucket: Type.Optional(Text),
})
export type FileEntry = Static<typeof FileEntry>

const Manifest = Type.Object({
  format: Type.Literal(1),
  made_at: Text,
  server_version: Text,
  migrations: Type.Array(Type.Object({ name: Text, checksum: Type.Union([Text, Type.Null()]) })),
  tables: Type.Array(TableEntry),
  sequences: Type.Array(Type.Object({ name: Text, last_value: Text })),
  files: Type.Array(FileEntry),
  /** Keys of files whose objects were missing. */
  missing: Type.Array(Text),
  /** Files of DATA_DIR by their names, in base64. */
  extras: Type.Record(Text, Text),
  /** Fingerprint that shows whether a SECRET_KEY is the backup's. */
  secret_key_fingerprint: Text,
  /** Id of the database's newest restore; null for none. A restored copy counts as another installation. Old versions omit it. */
  installation: Type.Optional(Type.Union([Text, Type.Null()])),
})
export type Manifest = Static<typeof Manifest>

/** Returns the name of a snapshot made at this time. Names sort by time. */
export function snapshotName(time: Date): string {
  return time.toISOString().replaceAll(/[-:]/g, '').replace('.', '')
}

/** Returns the time of a snapshot; undefined for other names. */
export function snapshotTime(name: string): Date | undefined {
  const [, date = '', time = ''] = /^(\d{8})T(\d{9})Z$/.exec(name) ?? []
  if (date === '') return undefined
  const day = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`
  const clock = `${time.slice(0, 2)}:${time.slice(2, 4)}:${time.slice(4, 6)}.${time.slice(6)}`
  const parsed = new Date(`${day}T${clock}Z`)
  return Number.isNaN(parsed.getTime()) ? undefined : parsed
}

/** Returns whether a snapshot is from the future: the clock was wrong when it was made. */
export function isAhead(name: string): boolean {
  return (snapshotTime(name)?.getTime() ?? 0) > Date.now() + WRONG_CLOCK_MS
}

/** Returns the names of the snapshots, oldest first. */
export async function listSnapshots(repository: Repository): Promise<string[]> {
  const stored = await repository.list('snapshots')
  return stored
    .map(({ name }) => name.slice('snapshots/'.length))
    .filter((name) => snapshotTime(name) !== undefined)
    .sort()
}

/** Stores the manifest, which completes the backup. */
export async function writeManifest(
  repository: Repository,
  key: Buffer,
  manifest: Manifest,
): Promise<string> {
  const name = snapshotName(new Date(manifest.made_at))
  const packed = await compress(Buffer.from(JSON.stringify(manifest)))
  await repository.write(`snapshots/${name}`, contentOf(await sealAll(key, `snapshots/${name}`, packed)))
  return name
}

/** @throws BackupError for a snapshot that does not exist, is damaged, or has a newer format */
export async function readManifest(repository: Repository, key: Buffer, name: string): Promise<Manifest> {
  const stored = await repository.read(`snapshots/${name}`)
  if (stored === undefined) throw new BackupError(`there is no backup ${name} in ${repository.location}`)
  const packed = await unsealAll(key, `snapshots/${name}`, stored)
  const manifest: unknown = JSON.parse((await decompress(packed)).toString())
  if (Check(Manifest, manifest)) return manifest
  throw new BackupError(`the backup ${name} was made by a newer version of Foyer: restore it with that one`)
}

/** Returns the ids of all parts that a manifest names. */
export function partsOf({ tables, files }: Manifest): string[] {
  return [...tables, ...files].flatMap(({ parts }) => parts)
}
