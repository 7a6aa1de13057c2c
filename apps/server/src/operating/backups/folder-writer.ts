import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { eachOf } from '#src/kernel/at-once.ts'
import { newId } from '#src/kernel/ids.ts'
import { makeFolderDurably, syncFolder } from '#src/kernel/storage/durable-files.ts'
import { BackupError } from './backup-error.ts'
import type { Content } from './repository.ts'

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'its disk is full',
  EDQUOT: 'its disk quota is used up',
  EACCES: 'this user may not read or write it',
  EPERM: 'this user may not read or write it',
  EROFS: 'its disk is read-only',
  ENOTDIR: 'it is no folder',
  EIO: 'its disk has read or write errors',
}

/** Files synced at a time. */
const SYNCED_AT_ONCE = 16

/**
 * Writes many files into a folder. Each is written as a draft and renamed, so that a name always belongs to a whole
 * file. After `flush`, all are on the disk. Syncing each file separately takes several times as long.
 */
export class FolderWriter {
  readonly #folder: string
  readonly #drafts: string
  readonly #madeFolders = new Set<string>()
  /** Paths of files that are not synced yet: a power cut may leave them empty. */
  #unsynced: string[] = []

  /** @param drafts name of the subfolder for incomplete files */
  constructor(folder: string, drafts: string) {
    this.#folder = folder
    this.#drafts = join(folder, drafts)
  }

  async write(name: string, content: Content): Promise<void> {
    const [path, draft] = [join(this.#folder, name), join(this.#drafts, newId())]
    try {
      await this.#make(this.#drafts)
      await this.#make(dirname(path))
      await writeWhole(draft, content)
      await rename(draft, path)
      this.#unsynced.push(path)
    } catch (error) {
      await rm(draft, { force: true }).catch(() => undefined)
      throw explained(this.#folder, error)
    }
  }

  /** Puts everything written so far on the disk. */
  async flush(): Promise<void> {
    const paths = this.#unsynced
    this.#unsynced = []
    const folders = [...this.#madeFolders].flatMap((folder) => [folder, dirname(folder)])
    try {
      await eachOf(paths, SYNCED_AT_ONCE, syncFile)
      await eachOf([...new Set(folders)], SYNCED_AT_ONCE, syncFolder)
    } catch (error) {
      throw explained(this.#folder, error)
    }
  }

  async #make(folder: string): Promise<void> {
    if (this.#madeFolders.has(folder)) return
    await makeFolderDurably(this.#folder, 0o700)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    this.#madeFolders.add(folder)
  }
}

/** Explains an error of the backup folder to the operator. */
export function explained(folder: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined
  if (error instanceof BackupError || code === undefined) return error
  return new BackupError(`the folder ${folder} cannot be used: ${REASONS[code] ?? code}`, { cause: error })
}

/** Syncs a file that may have been deleted in between. */
async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  if (file === undefined) return
  await file.sync().finally(() => file.close())
}

async function writeWhole(path: string, { sizeBytes, open: pieces }: Content): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    let written = 0
    for await (const piece of pieces()) written += await writePiece(file, piece)
    if (written !== sizeBytes) throw new BackupError(`${written} bytes came instead of ${sizeBytes}`)
  } finally {
    await file.close()
  }
}

async function writePiece(file: FileHandle, piece: Buffer): Promise<number> {
  for (let written = 0; written < piece.length; ) {
    const { bytesWritten } = await file.write(piece, written)
    written += bytesWritten
  }
  return piece.length
}
