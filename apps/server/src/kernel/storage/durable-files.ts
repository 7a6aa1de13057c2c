import { constants } from 'node:fs'
import { copyFile, link, mkdir, open, rename, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { StoreError } from './object-store.ts'

/** Copies in the kernel, sharing the blocks where the file system can, down to the disk. */
export async function copyDurably(from: string, to: string, sizeBytes: number): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
  const copy = await open(to, 'r+')
  try {
    const { size } = await copy.stat()
    if (size !== sizeBytes)
      throw new StoreError('unreachable', 'the file is not as long as it was said to be')
    await copy.chmod(0o600)
    await copy.sync()
  } finally {
    await copy.close()
  }
}

/** A second name for the same file, whose bytes are on the disk already and never change; where the file system has no such names, a copy. */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if (!isUnlinkable(error)) throw error
    const { size } = await stat(from)
    await copyDurably(from, to, size)
  }
}

/** EMLINK: it has as many names as a file can have. */
const UNLINKABLE = new Set(['EMLINK', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EPERM', 'EXDEV'])

function isUnlinkable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && UNLINKABLE.has(String(error.code))
}

/** Moves into place, over what is there, so that a power cut leaves either the old or the new: whole, and under this name. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await makeFolder(dirname(to))
  await rename(from, to)
  await syncFolder(dirname(to))
}

/** Brings the names in a folder to the disk. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function makeFolder(path: string): Promise<void> {
  const firstMade = await mkdir(path, { recursive: true, mode: 0o700 })
  if (firstMade === undefined) return
  for (let made = path; made.length >= firstMade.length; made = dirname(made)) await syncFolder(dirname(made))
}
