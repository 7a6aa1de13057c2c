import type pg from 'pg'
import { BackupError, wordsOf } from './backup-error.ts'
import { FileUnreadable, type SourceFile, storeFile } from './file-parts.ts'
import { eachOf } from './folder-writer.ts'
import type { FileEntry, Manifest } from './manifest.ts'
import { idInName } from './repository.ts'
import { isStillNeeded } from './sources.ts'
import type { Vault } from './table-parts.ts'

/** Files copied at a time. Each waits for a disk or a bucket most of the time. */
const AT_ONCE = 4

/** Files of a backup. */
export interface FileCopies {
  files: FileEntry[]
  /** Keys of files whose objects were not there. */
  missing: string[]
  copiedBytes: number
}

export interface FileCopying {
  vault: Vault
  /** Answers about the present, unlike the snapshot. */
  client: pg.Client
  /** Earlier backups of the repository. */
  earlier: readonly Manifest[]
  report: (line: string) => void
}

/** Copies the files that no earlier backup holds. Objects never change, so a key and a size identify them. */
export async function copyFiles(copying: FileCopying, sources: readonly SourceFile[]): Promise<FileCopies> {
  const held = await listHeld(copying)
  const copies: FileCopies = { files: [], missing: [], copiedBytes: 0 }
  await eachOf(sources, (source) => copyFile(copying, { source, held, copies }), AT_ONCE)
  copies.files.sort((one, other) => (one.key < other.key ? -1 : 1))
  copies.missing.sort()
  return copies
}

interface FileTurn {
  source: SourceFile
  held: ReadonlyMap<string, FileEntry>
  copies: FileCopies
}

async function copyFile(copying: FileCopying, { source, held, copies }: FileTurn): Promise<void> {
  const known = held.get(source.key)
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
 * A space's own bucket may be gone. The server's own storage that does not answer ends the backup: it would be one without
 * files.
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

/** Lists the files of earlier backups whose parts are all there. */
async function listHeld({ vault, earlier }: FileCopying): Promise<Map<string, FileEntry>> {
  const parts = new Set((await vault.repository.list('parts')).map(({ name }) => idInName(name)))
  const entries = earlier.flatMap(({ files }) => files)
  return new Map(
    entries.filter((file) => file.parts.every((id) => parts.has(id))).map((file) => [file.key, file]),
  )
}
