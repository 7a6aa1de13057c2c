import { randomUUID } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'

const DAY_MS = 24 * 60 * 60 * 1000
/** Tells this process from an earlier one that had its pid, as the first of a container always has. */
const incarnation = randomUUID()
const host = hostname().replaceAll(/[^A-Za-z0-9-]/g, '-')

/** A name that no other process takes, and by which a later one knows whose it was. */
export function newTempName(): string {
  return [host, process.pid, incarnation, randomUUID()].join('.')
}

/** Removes from a folder of such files what processes left that died. */
export async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    if (await isLeftover(name, path)) await rm(path, { force: true })
  }
}

/** Of other machines that share the folder only the age tells. */
async function isLeftover(name: string, path: string): Promise<boolean> {
  const [owner, pid = '', made] = name.split('.')
  if (made === incarnation) return false
  if (owner === host && (pid === `${process.pid}` || !isAlive(Number(pid)))) return true
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
  return mtimeMs < Date.now() - DAY_MS
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
