import { chmod, chown, open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

export interface Lent {
  /** Read by the child. */
  path: string
  /** Written by the child; it must not exist yet. */
  outPath: string
}

/**
 * Gives a child's user access to the files of a job, to read one and write the other. It cannot replace either,
 * because the folder remains the server's.
 */
export async function lend({ path, outPath }: Lent, userId: number): Promise<void> {
  await chown(dirname(path), 0, userId)
  await chmod(dirname(path), 0o710)
  await chown(path, 0, userId)
  await chmod(path, 0o640)
  await using out = await open(outPath, 'wx', 0o600)
  await out.chown(userId, userId)
}

/**
 * Takes ownership of the files back before they are used.
 * @param isNew whether `outPath` is a new result; otherwise it is removed
 */
export async function takeBack({ path, outPath }: Lent, isNew: boolean): Promise<void> {
  await takeOneBack(path)
  if (isNew) await takeOneBack(outPath)
  else await rm(outPath, { force: true })
}

/** Ignores a missing file, which the sender or a stopping server may have removed. */
async function takeOneBack(path: string): Promise<void> {
  await chown(path, 0, 0).catch(unlessMissing)
  await chmod(path, 0o600).catch(unlessMissing)
}

function unlessMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
