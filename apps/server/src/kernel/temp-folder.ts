import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { home } from './process-namespace.ts'

/** What a server elsewhere, sharing the folder, is working on is far younger. */
const FOREIGN_AGE_MS = 24 * 60 * 60 * 1000

/** Of this process: several servers may share it, and the folder. */
const inUse = new Set<string>()

/** Where files are while they are being worked on: one folder for each process, in it one for each piece of work. */
export class TempFolder {
  readonly #root: string
  readonly #own: string

  constructor(root: string) {
    this.#root = root
    this.#own = join(root, `${home},${process.pid},${randomUUID()}`)
    inUse.add(this.#own)
  }

  /** What it makes is in here. */
  get path(): string {
    return this.#own
  }

  /** A new, empty folder that nobody else reads; whoever asked for it removes it with all that is in it. */
  async create(): Promise<string> {
    const folder = join(this.#own, randomUUID())
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return folder
  }

  /** Removes what processes left that were killed. */
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

/** A folder with our own number is of an earlier process: in a container, all of them have the same. */
function isAlive(pid: number): boolean {
  if (pid === process.pid || !Number.isInteger(pid) || pid <= 0) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
