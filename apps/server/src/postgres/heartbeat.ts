import { readFile, rm, writeFile } from 'node:fs/promises'
import { home } from '#src/kernel/process-namespace.ts'
import { isAlive } from './occupant.ts'

const BEAT_MS = 1000

/**
 * Replaces the lock where a folder cannot be locked: a file that changes every second while its server runs. Clocks are
 * not compared, because two machines may differ.
 */
export class Heartbeat {
  readonly #path: string
  readonly #quietMs: number
  #seen: string | undefined
  #changedAt = 0
  #timer: NodeJS.Timeout | undefined

  /** @param quietMs the time without a beat after which a server whose process cannot be checked counts as dead */
  constructor(path: string, quietMs: number) {
    this.#path = path
    this.#quietMs = quietMs
  }

  /** Returns whether the other server is dead. Must be called repeatedly: a beat is detected by the change of the file. */
  async isQuiet(): Promise<boolean> {
    const text = await readFile(this.#path, 'utf8').catch(() => undefined)
    if (text === undefined) return true
    const [place, pid] = text.split(' ')
    if (place === home) return Number(pid) === process.pid || !isAlive(Number(pid))
    const now = performance.now()
    if (text !== this.#seen) this.#changedAt = now
    this.#seen = text
    return now - this.#changedAt > this.#quietMs
  }

  /** Starts the heartbeat. Returns false if another server was faster. */
  async start(): Promise<boolean> {
    await rm(this.#path, { force: true })
    const isFirst = await writeFile(this.#path, beat(), { flag: 'wx', mode: 0o600 }).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false
        throw error
      },
    )
    if (!isFirst) return false
    this.#timer = setInterval(() => void writeFile(this.#path, beat()).catch(() => undefined), BEAT_MS)
    this.#timer.unref()
    return true
  }

  async stop(): Promise<void> {
    if (this.#timer === undefined) return
    clearInterval(this.#timer)
    await rm(this.#path, { force: true })
  }
}

function beat(): string {
  return `${home} ${process.pid} ${performance.now()}\n`
}
