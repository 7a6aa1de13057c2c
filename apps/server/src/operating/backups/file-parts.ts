import { createHash, type Hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { wordsOf } from '#src/kernel/error-words.ts'
import { newId } from '#src/kernel/ids.ts'
import { type ObjectStore, StoreError } from '#src/kernel/storage/object-store.ts'
import { BackupError, DamagedBackup } from './backup-error.ts'
import type { FileEntry } from './manifest.ts'
import { partName } from './repository.ts'
import { seal, sealedSize, unseal } from './sealed-frames.ts'
import { readPart, sealName, type Vault } from './table-parts.ts'
import { writeFrom } from './write-from.ts'

/** Maximum bytes of a file in one part. A slow storage accepts this much within minutes. */
const PART_BYTES = 64 * 1024 * 1024

/** A file to back up, and its store. */
export interface SourceFile {
  key: string
  sizeBytes: number
  /** Id of the space's own bucket that has the file; undefined for the server's storage. */
  bucket?: string
  store: ObjectStore
}

/** The object of a file cannot be read, or is not the expected one. */
export class FileUnreadable extends Error {
  /** True if its store answered that the object is missing or different. */
  readonly isGone: boolean

  constructor(message: string, isGone: boolean, options?: ErrorOptions) {
    super(message, options)
    this.isGone = isGone
  }
}

/**
 * Copies a file into parts.
 * @throws FileUnreadable if its object is missing, cannot be read, or has another size
 */
export async function storeFile(
  vault: Vault,
  { key, sizeBytes, bucket, store }: SourceFile,
): Promise<FileEntry> {
  const parts: string[] = []
  let whole = createHash('sha256')
  for (let start = 0; start < sizeBytes; start += PART_BYTES) {
    const end = Math.min(start + PART_BYTES, sizeBytes)
    const { id, hash } = await storeRange(vault, { store, key, start, end, before: whole })
    parts.push(id)
    whole = hash
  }
  const entry = { key, size: sizeBytes, sha256: whole.digest('hex'), parts }
  return bucket === undefined ? entry : { ...entry, bucket }
}

/**
 * Reads a file from its parts.
 * @throws DamagedBackup for a damaged part, and at the end if the size or checksum differs from the manifest
 */
export async function* readFileParts(
  vault: Vault,
  { key, parts, sha256, size }: FileEntry,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256')
  let length = 0
  for (const id of parts)
    for await (const piece of unseal(vault.key, sealName(id), await readPart(vault, id))) {
      hash.update(piece)
      length += piece.length
      yield piece
    }
  if (length !== size || hash.digest('hex') !== sha256)
    throw new DamagedBackup(`the backup is damaged: the file ${key} differs from its checksum`)
}

/** Returns the parts of a file with the sizes that they have in a repository. */
export function storedParts({ size, parts }: FileEntry): { id: string; sizeBytes: number }[] {
  return parts.map((id, index) => ({
    id,
    sizeBytes: sealedSize(Math.min(PART_BYTES, size - index * PART_BYTES)),
  }))
}

/** Restores a file to a store. */
export async function placeFile(vault: Vault, store: ObjectStore, entry: FileEntry): Promise<void> {
  await writeFrom(
    () => readFileParts(vault, entry),
    (open) => {
      const source = {
        sizeBytes: entry.size,
        contentType: 'application/octet-stream',
        open: async () => Readable.from(open(), { objectMode: false }),
      }
      return store.putStream(entry.key, source).catch((error: unknown) => {
        throw new BackupError(`a file cannot be stored: ${wordsOf(error)}`, { cause: error })
      })
    },
  )
}

interface Range {
  store: ObjectStore
  key: string
  start: number
  /** Exclusive end. */
  end: number
  /** Hash of the file up to `start`. */
  before: Hash
}

/** Copies a range into a part. If the repository retries the write, reading and hashing start over. */
async function storeRange({ repository, key }: Vault, range: Range): Promise<{ id: string; hash: Hash }> {
  const id = newId()
  let hash = range.before
  const read = () => {
    hash = range.before.copy()
    return seal(key, sealName(id), hashed(readRange(range), hash))
  }
  const sizeBytes = sealedSize(range.end - range.start)
  await writeFrom(read, (open) => repository.write(partName(id), { sizeBytes, open }))
  return { id, hash }
}

async function* readRange({ store, key, start, end }: Range): AsyncGenerator<Buffer> {
  let length = 0
  try {
    for await (const piece of await store.read(key, { start, end: end - 1 })) {
      length += piece.length
      yield piece
    }
  } catch (error) {
    const isGone = error instanceof StoreError && error.fault === 'missing'
    throw new FileUnreadable(wordsOf(error), isGone, { cause: error })
  }
  if (length !== end - start) throw new FileUnreadable('it does not have the expected size', true)
}

async function* hashed(pieces: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    hash.update(piece)
    yield piece
  }
}
