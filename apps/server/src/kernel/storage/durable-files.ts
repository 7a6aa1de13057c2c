import { constants } from 'node:fs'
import { copyFile, link, mkdir, open, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StoreError } from './object-store.ts'

/** Copies in the kernel, sharing blocks if the file system can, and syncs to the disk. */
export async function copyDurably(from: string, to: string, sizeBytes: number): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  const copy = await open(to, 'r+')
  try {
    const { size } = await copy.stat()
    if (size !== sizeBytes) throw new StoreError('unreachable', 'the file does not have the announced size')
    await copy.chmod(0o600)
    await copy.sync()
  } finally {
    await copy.close()
  }
}

/** Gives an immutable file, already on the disk, a second name; if the file system has no hard links, copies it. */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (!isUnlinkable(error)) throw error
    const { size } = await stat(from)
    await copyDurably(from, to, size)
  }
}

/** Errors of `link` after which the file is copied instead. EMLINK: the file has the maximum number of hard links. */
const UNLINKABLE = new Set(['EMLINK', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EPERM', 'EXDEV'])

function isUnlinkable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && UNLINKABLE.has(String(error.code))
}

/**
 * Writes a new file, readable by its owner only, and syncs it. Its name is durable once its folder is synced, or it
 * is moved.
 */
export async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

/**
 * Moves a file into place, over an existing file. After a power cut, either the complete old file or the complete new file
 * has this name.
 */
export async function renameDurably(from: string, to: string): Promise<void> {
  await makeFolderDurably(dirname(to), 0o700)
  await rename(from, to)
  await syncFolder(dirname(to))
}

/** Syncs the names in a folder to the disk. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Makes a folder and its parents, whose names are on the disk when it returns. */
export async function makeFolderDurably(path: string, mode: number): Promise<void> {
  const firstMade = await mkdir(path, { recursive: true, mode })
  if (firstMade === undefined) return
  for (let made = path; made.length >= firstMade.length; made = dirname(made)) await syncFolder(dirname(made))
}
