import { access } from 'node:fs/promises'
import type pg from 'pg'
import { eachOf } from '#src/kernel/at-once.ts'
import { wordsOf } from '#src/kernel/error-words.ts'
import { BackupError } from './backup-error.ts'
import type { Earlier } from './earlier.ts'
import { FileUnreadable, type SourceFile, storeFile } from './file-parts.ts'
import type { FileEntry } from './manifest.ts'
import { isStillNeeded } from './sources.ts'
import type { Vault } from './table-parts.ts'

/** Files copied simultaneously. Each copy mostly waits for a disk or a bucket. */
const AT_ONCE = 4
/** Number of earlier backups' files to look for in a storage that seems to be empty. */
const LOOKED_FOR = 10

/** Files of a backup. */
export interface FileCopies {
  files: FileEntry[]
  /** Keys of files whose objects were missing. */
  missing: string[]
  copiedBytes: number
}

export interface FileCopying {
  vault: Vault
  /** Connection outside of the snapshot's transaction, which sees the present state. */
  client: pg.Client
  earlier: Earlier
  /** Folder of the server's own files; undefined if they are in a bucket. */
  ownFolder: string | undefined
  report: (line: string) => void
}

/** Copies the files that no earlier backup holds. Objects never change, so a key and a size identify them. */
export async function copyFiles(copying: FileCopying, sources: readonly SourceFile[]): Promise<FileCopies> {
  const { earlier, ownFolder } = copying
  const own = sources.filter(({ bucket }) => bucket === undefined)
  if (ownFolder !== undefined && own.length > 0) await refuseMissingFolder(ownFolder)
  const copies: FileCopies = { files: [], missing: [], copiedBytes: 0 }
  await eachOf(sources, AT_ONCE, (source) => copyFile(copying, source, copies))
  const ownHeld = own.filter((source) => isHeld(earlier, source))
  const missing = new Set(copies.missing)
  const ownMissing = own.filter(({ key }) => missing.has(key))
  if (ownMissing.length > 0 && ownMissing.length + ownHeld.length === own.length)
    await refuseEmptyStorage(ownHeld)
  copies.files.sort((one, other) => (one.key < other.key ? -1 : 1))
  copies.missing.sort()
  return copies
}

function isHeld({ held }: Earlier, { key, sizeBytes }: SourceFile): boolean {
  return held.get(key)?.size === sizeBytes
}

async function copyFile(copying: FileCopying, source: SourceFile, copies: FileCopies): Promise<void> {
  const known = copying.earlier.held.get(source.key)
  if (known?.size === source.sizeBytes) {
    copies.files.push(known)
    return
  }
  try {
    copies.files.push(await storeFile(copying.vault, source))
    copies.copiedBytes += source.sizeBytes
  } catch (error) {
    if (!(error instanceof FileUnreadable)) throw error
    await noteMissing(copying, { source, error, copies })
  }
}

/**
 * Notes a file that could not be read, if it is still needed. A space's own bucket may be gone, but an unreachable storage
 * of the server ends the backup, which would have no files.
 */
async function noteMissing(
  { client, report }: FileCopying,
  { source, error, copies }: { source: SourceFile; error: FileUnreadable; copies: FileCopies },
): Promise<void> {
  if (!error.isGone && source.bucket === undefined)
    throw new BackupError(`the server's files cannot be read: ${wordsOf(error)}`, { cause: error })
  if (!(await isStillNeeded(client, source.key))) return
  copies.missing.push(source.key)
  report(`warning: the file ${source.key} is not backed up: ${wordsOf(error)}`)
}

async function refuseMissingFolder(folder: string): Promise<void> {
  await access(folder).catch((cause: Error) => {
    throw new BackupError(`the folder of the server's files ${folder} cannot be read: is it mounted?`, {
      cause,
    })
  })
}

/**
 * Refuses a storage that has none of the files to copy, and none of the files of earlier backups: it is not mounted, or
 * the wrong one. Single files may be missing.
 */
async function refuseEmptyStorage(held: readonly SourceFile[]): Promise<void> {
  for (const { store, key } of held.slice(-LOOKED_FOR)) if ((await store.sizeOf(key)) !== undefined) return
  throw new BackupError("none of the server's files is in its storage: is it mounted, and the right one?")
}
