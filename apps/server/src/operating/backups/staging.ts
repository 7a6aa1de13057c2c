import { randomUUID } from 'node:crypto'
import { access, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { wordsOf } from '#src/kernel/error-words.ts'
import {
  makeFolderDurably,
  renameDurably,
  syncFolder,
  writeDurably,
} from '#src/kernel/storage/durable-files.ts'
import { TempFolder } from '#src/kernel/temp-folder.ts'
import { RESTORE_FOLDER } from '#src/postgres/data-dir.ts'
import { type Ownership, takeOwnership } from '#src/postgres/ownership.ts'
import { BackupError } from './backup-error.ts'

/** Names that an empty DATA_DIR may contain: locks, mounts, and the folder of a killed restore. */
const NO_CONTENT = new Set(['lock', 'heartbeat', 'lost+found', RESTORE_FOLDER])
/** File in the staging folder whose presence means that the restore is completed instead of started over. */
const COMPLETE = 'complete'
/** Files of the staging folder that do not belong to an installation. */
const OWN_FILES = new Set([COMPLETE, 'lock', 'heartbeat', 'postgres-socket', 'tmp'])

/**
 * Folder in DATA_DIR for a running restore. No server starts while it exists. DATA_DIR itself cannot be renamed,
 * because it is often the root of a mount.
 */
export interface Staging {
  path: string
  /** Id of the restore. */
  id: string
  /** True if an earlier run was killed after everything was copied: only `moveIntoPlace` is left. */
  isComplete: boolean
  /**
   * Moves everything to its place in DATA_DIR. If the process is killed, the next run completes it.
   * @param finish the last step before servers may start
   */
  moveIntoPlace(finish: () => Promise<void>): Promise<void>
  /** Removes the folder, unless it was moved. */
  close(): Promise<void>
}

/** @throws BackupError if DATA_DIR is not empty, or in use */
export async function openStaging(given: string): Promise<Staging> {
  const dataDir = resolve(given)
  const path = join(dataDir, RESTORE_FOLDER)
  await refuseContent(dataDir)
  await makeFolderDurably(dataDir, 0o700)
  const ownership = await own(dataDir)
  try {
    // Checked again, because another restore may have ended in the meantime.
    await refuseContent(dataDir)
    const completeId = await readFile(join(path, COMPLETE), 'utf8').catch(() => undefined)
    if (completeId === undefined) await makeEmpty(path)
    return stagingOf({ dataDir, path, completeId }, () => ownership.release())
  } catch (error) {
    await ownership.release()
    throw error
  }
}

function stagingOf(
  { dataDir, path, completeId }: { dataDir: string; path: string; completeId: string | undefined },
  release: () => Promise<void>,
): Staging {
  const isComplete = completeId !== undefined
  const id = completeId ?? randomUUID()
  let isMoving = isComplete
  return {
    path,
    id,
    isComplete,
    async moveIntoPlace(finish) {
      if (!isComplete) await markComplete(path, id)
      isMoving = true
      await moveAll(path, dataDir)
      await finish()
      await moveAway(path, dataDir)
    },
    async close() {
      if (!isMoving) await rm(path, { recursive: true, force: true, maxRetries: 10 })
      await release()
    },
  }
}

function own(dataDir: string): Promise<Ownership> {
  const place = { dataDir, folder: join(dataDir, 'postgres') }
  return takeOwnership({ ...place, waitMs: 0, log: () => undefined }).catch((cause: unknown) => {
    throw new BackupError(`DATA_DIR ${dataDir} cannot be used: ${wordsOf(cause)}`, { cause })
  })
}

async function refuseContent(dataDir: string): Promise<void> {
  if (await exists(join(dataDir, RESTORE_FOLDER, COMPLETE))) return
  const names = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new BackupError(`DATA_DIR ${dataDir} cannot be used: ${error.message}`, { cause: error })
  })
  if (names.every((name) => NO_CONTENT.has(name))) return
  throw new BackupError(
    `DATA_DIR ${dataDir} is not empty: stop the server that uses it, and restore into an empty folder`,
  )
}

async function makeEmpty(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true, maxRetries: 10 })
  await mkdir(path, { mode: 0o700 })
  await syncFolder(join(path, '..'))
}

async function moveAll(path: string, dataDir: string): Promise<void> {
  const names = (await readdir(path)).filter((name) => !OWN_FILES.has(name))
  for (const name of names) await rename(join(path, name), join(dataDir, name))
  await syncFolder(dataDir)
}

/** Marks the restore as complete. The rename makes the mark appear whole or not at all. */
async function markComplete(path: string, id: string): Promise<void> {
  const draft = join(path, 'tmp-complete')
  await writeDurably(draft, id)
  await renameDurably(draft, join(path, COMPLETE))
}

/**
 * Renames the folder away in one step, after which servers can start. The next start deletes it if this process is
 * killed.
 */
async function moveAway(path: string, dataDir: string): Promise<void> {
  const temp = new TempFolder(join(dataDir, 'tmp'))
  await rename(path, join(await temp.create(), RESTORE_FOLDER))
  await syncFolder(dataDir)
  await temp.close()
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
