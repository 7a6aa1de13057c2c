import { execFile } from 'node:child_process'
import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A postmaster that lives in the folder, by its own words in postmaster.pid. */
interface Occupant {
  pid: number
  status: string
}

/** A postmaster whose parent was killed closes within a moment; one that stays ready this long belongs to somebody. */
const IN_USE_AFTER_MS = 1000
/** What it may take to close, with its last checkpoint. */
const MAX_CLOSING_MS = 30_000
const POLL_MS = 50

/** Waits for a postmaster that is on its way out, and throws if one is there to stay. */
export async function waitUntilFree(folder: string, dataDir: string): Promise<void> {
  const deadline = performance.now() + MAX_CLOSING_MS
  let readySince: number | undefined
  for (;;) {
    const occupant = await findOccupant(folder)
    if (occupant === undefined) return
    const now = performance.now()
    readySince = occupant.status === 'ready' ? (readySince ?? now) : undefined
    if (now - (readySince ?? now) > IN_USE_AFTER_MS) {
      throw new Error(`DATA_DIR ${dataDir} is in use by another Foyer (PostgreSQL process ${occupant.pid})`)
    }
    if (now > deadline) {
      const seconds = MAX_CLOSING_MS / 1000
      throw new Error(
        `DATA_DIR ${dataDir} is still in use: PostgreSQL process ${occupant.pid} is ${occupant.status} since ${seconds} s`,
      )
    }
    await sleep(POLL_MS)
  }
}

/** The status in postmaster.pid, if the file is of this process: starting, ready, stopping. */
export async function readStatus(folder: string, pid: number): Promise<string | undefined> {
  const lock = await readLock(folder)
  return lock?.pid === pid ? lock.status : undefined
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

async function findOccupant(folder: string): Promise<Occupant | undefined> {
  const lock = await readLock(folder)
  if (lock === undefined || !isAlive(lock.pid)) return undefined
  if (process.platform !== 'linux') return (await isPostgres(lock.pid)) ? lock : undefined

  // A zombie stands nowhere; PostgreSQL still counts it as alive, hence the retries of whoever starts one.
  const place = await stat(`/proc/${lock.pid}/cwd`).catch(() => undefined)
  if (place === undefined) return undefined
  const home = await stat(folder)
  if (place.dev === home.dev && place.ino === home.ino) return lock

  // The number went to another process, as it does after a restart of a container. PostgreSQL would refuse to start.
  await rm(join(folder, 'postmaster.pid'), { force: true })
  return undefined
}

async function isPostgres(pid: number): Promise<boolean> {
  const { stdout } = await run('ps', ['-o', 'comm=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
  return stdout.includes('postgres')
}

/** Lines of the file: pid, folder, start time, port, socket folder, address, shared memory, status. */
async function readLock(folder: string): Promise<Occupant | undefined> {
  const text = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')
  const lines = text.split('\n')
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  return { pid, status: lines[7]?.trim() ?? 'starting' }
}
