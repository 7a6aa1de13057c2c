import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import { hostname } from 'node:os'
import { text } from 'node:stream/consumers'
import { ENVIRONMENT } from './guarded.ts'

/** Exit code of flock(1) where another process has the lock. */
const TAKEN = 1
/** File descriptor for flock(1), and for every child that inherits it. */
export const INHERITED_AS = 3

/** `ours`, `taken` by another process, or the reason why locking is impossible here. */
export type LockState = 'ours' | 'taken' | { unlockable: string }

/**
 * An exclusive lock (flock) on a file. The kernel keeps it until the last process with this descriptor has ended. It
 * therefore works between containers, whose process ids mean nothing to each other. Node has no flock, so flock(1)
 * locks the inherited descriptor, and the lock remains after flock(1) has ended, because both share the open file.
 */
export class FolderLock {
  readonly descriptor: number
  readonly #path: string

  /** @throws ErrnoException where the file cannot be written */
  constructor(path: string) {
    this.#path = path
    // A FileHandle would be closed by garbage collection. NFS only locks files that are open for writing.
    this.descriptor = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600)
  }

  /** Takes the lock, without waiting. Taking our own lock again has no effect. */
  async take(): Promise<LockState> {
    const flock = spawn('flock', ['-x', '-n', String(INHERITED_AS)], {
      env: ENVIRONMENT,
      stdio: ['ignore', 'ignore', 'pipe', this.descriptor],
    })
    try {
      const complaints = flock.stderr === null ? '' : text(flock.stderr)
      const [complaint, [code]] = await Promise.all([complaints, once(flock, 'close')])
      if (code === 0) return 'ours'
      return code === TAKEN ? 'taken' : { unlockable: complaint.trim() || `flock ended with ${code}` }
    } catch (error) {
      return { unlockable: error instanceof Error ? error.message : String(error) }
    }
  }

  /** Writes the owner of the lock into the file, for people only. It may fail, for example on a full disk. */
  sign(): void {
    ftruncateSync(this.descriptor)
    const text = `process ${process.pid} on ${hostname()} since ${new Date().toISOString()}\n`
    try {
      writeSync(this.descriptor, text, 0)
    } catch {
      // The lock works without its owner's name.
    }
  }

  readSignature(): string {
    return readFileSync(this.#path, 'utf8').trim()
  }

  /** Closes our descriptor. Processes that inherited it keep the lock. */
  close(): void {
    closeSync(this.descriptor)
  }
}
