import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { home } from './process-namespace.ts'

/** Age after which another machine's folder counts as abandoned: no server works on temporary files for that long. */
const FOREIGN_AGE_MS = 24 * 60 * 60 * 1000

/** Temporary folders in use by this process, which may run several servers. */
const inUse = new Set<string>()

/** Temporary files: one folder per process, with a folder for each piece of work. */
export class TempFolder {
  readonly #root: string
  readonly #own: string

  constructor(root: string) {
    this.#root = root
    this.#own = join(root, `${home},${process.pid},${randomUUID()}`)
    inUse.add(this.#own)
  }

  /** The folder of this process. */
  get path(): string {
    return this.#own
  }

  /** Creates an empty folder that only this process reads. The caller removes it with its content. */
  async create(): Promise<string> {
    const folder = join(this.#own, randomUUID())
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return folder
  }

  /** Removes the folders of processes that were killed. */
  async sweep(): Promise<void> {
    const names = await readdir(this.#root).catch(() => [])
    for (const name of names) await this.#removeDead(name)
  }

  async close(): Promise<void> {
    inUse.delete(this.#own)
    await rm(this.#own, { recursive: true, force: true })
  }

  async #removeDead(name: string): Promise<void> {
    const path = join(this.#root, name)
    if (!(await isInUse(path, name))) await rm(path, { recursive: true, force: true, maxRetries: 3 })
  }
}

async function isInUse(path: string, name: string): Promise<boolean> {
  if (inUse.has(path)) return true
  const [host, pid] = name.split(',')
  if (host === home) return isAlive(Number(pid))
  const { mtimeMs } = await stat(path)
  return Date.now() - mtimeMs < FOREIGN_AGE_MS
}

/** Returns whether another process has this id. Our own id counts as an earlier process's: containers reuse ids. */
function isAlive(pid: number): boolean {
  if (pid === process.pid || !Number.isInteger(pid) || pid <= 0) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
