import { access, constants, realpath } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { makeFolderDurably } from '#src/kernel/storage/durable-files.ts'

/**
 * Creates the folder if it is missing.
 * @returns its real path
 * @throws Error with a message for the operator if it is not writable
 */
export async function openDataDir(path: string): Promise<string> {
  try {
    await makeFolderDurably(resolve(path), 0o700)
    await access(path, constants.W_OK | constants.X_OK)
    await refuseUnfinished(path)
    return await realpath(path)
  } catch (error) {
    // On a read-only file system, a recursive mkdir fails with ENOENT.
    const cause = await access(await existing(resolve(path)), constants.W_OK | constants.X_OK).then(
      () => error,
      (reason: unknown) => reason,
    )
    throw explainUnwritable(path, cause)
  }
}

/** Folder in DATA_DIR that exists while a restore runs, until all files were moved out of it. */
export const RESTORE_FOLDER = 'restoring'

/** @throws Error if a restore into the folder is running or was killed */
export async function refuseUnfinished(dataDir: string): Promise<void> {
  const isThere = await access(join(dataDir, RESTORE_FOLDER)).then(
    () => true,
    () => false,
  )
  if (isThere)
    throw new Error(
      `A restore into DATA_DIR ${dataDir} runs or was not finished: run npm run restore again, or empty the folder`,
    )
}

/** Returns the folder, or its nearest existing ancestor. */
async function existing(path: string): Promise<string> {
  const isThere = await access(path, constants.F_OK).then(
    () => true,
    () => false,
  )
  return isThere || dirname(path) === path ? path : existing(dirname(path))
}

/** Explains what an operator can do about an error of the file system. Other errors are returned unchanged. */
export function explainUnwritable(path: string, cause: unknown): unknown {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  if (code === 'EROFS') {
    return new Error(
      `DATA_DIR ${path} is on a read-only file system: mount it for writing, or set another DATA_DIR`,
      { cause },
    )
  }
  if (code === 'EACCES' || code === 'EPERM') {
    return new Error(
      `DATA_DIR ${path} cannot be written by user ${process.getuid?.()}: chown -R it to that user, or run Foyer as its owner`,
      { cause },
    )
  }
  return cause
}
