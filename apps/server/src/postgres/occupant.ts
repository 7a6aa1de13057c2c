import { execFile } from 'node:child_process'
import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The main process of a database, as recorded in postmaster.pid. */
interface Occupant {
  pid: number
  status: string
}

/** Returns the status in postmaster.pid (starting, ready or stopping); undefined if the file belongs to another process. */
export async function readStatus(folder: string, pid: number): Promise<string | undefined> {
  const file = await readPidFile(folder)
  return file?.pid === pid ? file.status : undefined
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Returns the living main process in the folder, if this process's PID namespace contains it. */
export async function findOccupant(folder: string): Promise<Occupant | undefined> {
  const file = await readPidFile(folder)
  return file !== undefined && (await livesIn(folder, file.pid)) ? file : undefined
}

/**
 * Removes a postmaster.pid whose process id was reused by another process, as after a restart of a container:
 * PostgreSQL would think that it runs already, and refuse to start. To be called only with the
 * folder's lock, after checking that no other database runs there: the process id may be valid in another PID namespace.
 */
export async function removeStalePidFile(folder: string): Promise<void> {
  const file = await readPidFile(folder)
  if (process.platform !== 'linux' || file === undefined || !isAlive(file.pid)) return
  if ((await isZombie(file.pid)) || (await livesIn(folder, file.pid))) return
  await rm(join(folder, 'postmaster.pid'), { force: true })
}

/** A zombie's postmaster.pid stays: its children may still write, which PostgreSQL detects by this file. */
async function isZombie(pid: number): Promise<boolean> {
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return /^\d+ \(.*\) [ZX] /s.test(line)
}

async function livesIn(folder: string, pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false
  if (process.platform !== 'linux') return isPostgres(pid)
  const place = await stat(`/proc/${pid}/cwd`).catch(() => undefined)
  const home = await stat(folder)
  return place !== undefined && place.dev === home.dev && place.ino === home.ino
}

async function isPostgres(pid: number): Promise<boolean> {
  const { stdout } = await run('ps', ['-o', 'comm=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
  return stdout.includes('postgres')
}

/** Reads postmaster.pid. Its lines: pid, folder, start time, port, socket folder, address, shared memory, status. */
async function readPidFile(folder: string): Promise<Occupant | undefined> {
  const text = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')
  const lines = text.split('\n')
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  return { pid, status: lines[7]?.trim() ?? 'starting' }
}
