import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { explainUnwritable } from './data-dir.ts'
import { FolderLock } from './folder-lock.ts'
import { Heartbeat } from './heartbeat.ts'
import type { Log } from './log.ts'
import { findOccupant } from './occupant.ts'
import { OrphanEnder } from './orphans.ts'

const POLL_MS = 50

export interface OwnershipOptions {
  dataDir: string
  /** Folder of the database's files. */
  folder: string
  /** Time a Foyer that owns the folder may take to end. */
  waitMs: number
  log: Log
}

/**
 * The right to run a database in DATA_DIR: one process at a time has it, together with the children that inherit the
 * descriptor.
 */
export interface Ownership {
  descriptor: number
  /** Call this only after the database has ended. */
  release(): Promise<void>
}

/**
 * Waits until no other process runs a database in DATA_DIR, as the old server of a deployment does while the new one
 * starts.
 * @throws Error that names the owner of the folder
 */
export async function takeOwnership(options: OwnershipOptions): Promise<Ownership> {
  const lock = openLock(options.dataDir)
  const heartbeat = new Heartbeat(join(options.dataDir, 'heartbeat'), options.waitMs / 2)
  const claim = { ...options, lock, heartbeat }
  try {
    await waitForTurn(claim)
    lock.sign()
  } catch (error) {
    lock.close()
    throw error
  }
  return {
    descriptor: lock.descriptor,
    async release() {
      await heartbeat.stop()
      lock.close()
    },
  }
}

function openLock(dataDir: string): FolderLock {
  try {
    return new FolderLock(join(dataDir, 'lock'))
  } catch (error) {
    throw explainUnwritable(dataDir, error)
  }
}

interface Claim extends OwnershipOptions {
  lock: FolderLock
  heartbeat: Heartbeat
}

async function waitForTurn(claim: Claim): Promise<void> {
  const { dataDir, waitMs, log } = claim
  const orphans = new OrphanEnder(claim)
  const deadline = performance.now() + waitMs
  for (let round = 0; ; round += 1) {
    const holder = await findHolder(claim)
    if (holder === undefined) return
    const inUse = `DATA_DIR ${dataDir} is in use by another Foyer (${holder})`
    if (performance.now() > deadline) {
      throw new Error(
        `${inUse}, and was not free within ${waitMs / 1000} s: stop that one, or set another DATA_DIR`,
      )
    }
    if (round === 0) log(`${inUse}: waiting up to ${waitMs / 1000} s for it to end`, 'warn')
    await orphans.endIfStuck()
    await sleep(POLL_MS)
  }
}

/** Describes the holder of the folder; undefined once the folder is ours. */
async function findHolder({ folder, lock, heartbeat, log }: Claim): Promise<string | undefined> {
  const state = await lock.take()
  const occupant = await findOccupant(folder)
  const main = occupant && `PostgreSQL process ${occupant.pid}, ${occupant.status}`
  if (state === 'taken') return [lock.readSignature(), main].filter(Boolean).join('; ') || 'unknown process'
  // The folder may be in use without a lock: by a version without locks, or where locks do not work.
  if (main !== undefined) return main
  if (!(await heartbeat.isQuiet())) return 'its heartbeat continues'
  if (state === 'ours') return undefined
  if (!(await heartbeat.start())) return 'it has just started'
  log(
    `DATA_DIR cannot be locked (${state.unlockable}). A heartbeat replaces the lock, but it does not notice two ` +
      'servers that start together, or one that was paused. Make sure that only one server uses the folder.',
    'warn',
  )
  return undefined
}
