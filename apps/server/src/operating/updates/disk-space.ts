import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { describeSize } from './records.ts'
import { type Beside, DISK_FULL } from './server-databases.ts'

/** Margin for writes of migrations, and for PostgreSQL's write-ahead log. */
const MARGIN = 1.1
const MARGIN_BYTES = 64_000_000

/**
 * Checks that a copy of the database fits on the disk of DATA_DIR, unless the file system can copy without using disk
 * space.
 * @throws Error with a message for the operator
 */
export async function checkSpace({ admin, name }: Beside, dataDir: string): Promise<void> {
  const { rows } = await admin.query<{ bytes: string }>('select pg_database_size($1)::text as bytes', [name])
  const needed = Number(rows[0]?.bytes ?? 0) * MARGIN + MARGIN_BYTES
  const { bavail, bsize } = await statfs(dataDir)
  const free = bavail * bsize
  if (free >= needed || (await canClone(dataDir))) return
  throw new Error(
    `The update is tried on a copy of the database, which takes ${describeSize(needed)}, and the disk of DATA_DIR has ` +
      `${describeSize(free)} free: nothing has changed; free disk space, or set UPDATE_SNAPSHOT_DAYS=0 to update without a copy`,
  )
}

/** Tries whether a copied file shares its blocks with the original (reflinks). */
async function canClone(folder: string): Promise<boolean> {
  const path = join(folder, `clone-${randomUUID()}`)
  try {
    await writeFile(path, 'a block of its own')
    await copyFile(path, `${path}-copy`, constants.COPYFILE_FICLONE_FORCE)
    return true
  } catch {
    return false
  } finally {
    await Promise.all([rm(path, { force: true }), rm(`${path}-copy`, { force: true })])
  }
}

/**
 * Returns true if the error or one of its causes is a full disk: the error of a migration has PostgreSQL's error as its
 * cause.
 */
export function isDiskFull(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return error.code === DISK_FULL
  return error instanceof Error && error.cause !== undefined && isDiskFull(error.cause)
}
