import { Turns } from '#src/kernel/database/turns.ts'

/** Simultaneous tasks of a process, for all rooms together and for one room. */
const WRITES = { atOnce: 40, ofRoom: 20 }
/** Edits and deletions. Each takes a database connection, so only a few run simultaneously. */
const CHANGES = { atOnce: 3, ofRoom: 2 }
const FILES = { atOnce: 16, ofRoom: 4 }
/** Simultaneous copies of files into storages that were slow recently, at most one per space. */
const SLOW_FILES = 4
/** A storage that takes longer than QUICK_MS counts as slow for SLOW_MS. */
const QUICK_MS = 5000
const SLOW_MS = 600_000

const patient = { maxWaiting: Number.POSITIVE_INFINITY, maxWaitMs: Number.POSITIVE_INFINITY }

/** Limits the work of a process on copies. Rooms take turns, and a slow storage delays only its own space. */
export class CopyTurns {
  readonly #writes = new Turns({ atOnce: WRITES.atOnce, ...patient })
  readonly #changes = new Turns({ atOnce: CHANGES.atOnce, ...patient })
  readonly #files = new Turns({ atOnce: FILES.atOnce, ...patient })
  readonly #slowFiles = new Turns({ atOnce: SLOW_FILES, ...patient })
  readonly #slowUntil = new Map<string, number>()
  #count = 0

  write<T>(roomId: string, work: () => Promise<T>): Promise<T> {
    return this.#writes.run(this.#laneOf(roomId, WRITES.ofRoom), work)
  }

  change<T>(roomId: string, work: () => Promise<T>): Promise<T> {
    return this.#changes.run(this.#laneOf(roomId, CHANGES.ofRoom), work)
  }

  /** Copies files from the room into the space. A slow copy continues without its turn, which another copy can then have. */
  async copyFiles<T>(roomId: string, spaceId: string, work: () => Promise<T>): Promise<T> {
    const isSlow = (this.#slowUntil.get(spaceId) ?? 0) > Date.now()
    const turn = isSlow
      ? this.#slowFiles.enter(spaceId)
      : this.#files.enter(this.#laneOf(roomId, FILES.ofRoom))
    const leave = await turn
    const timer = setTimeout(() => {
      this.#noteSlow(spaceId)
      if (!isSlow) leave()
    }, QUICK_MS)
    try {
      return await work()
    } finally {
      clearTimeout(timer)
      leave()
    }
  }

  #noteSlow(spaceId: string): void {
    const now = Date.now()
    for (const [known, until] of this.#slowUntil) if (until <= now) this.#slowUntil.delete(known)
    this.#slowUntil.set(spaceId, now + SLOW_MS)
  }

  /** Returns a key for a task of the room. Turns run one task per key at a time, so each room has several keys. */
  #laneOf(roomId: string, lanes: number): string {
    this.#count = (this.#count + 1) % Number.MAX_SAFE_INTEGER
    return `${roomId} ${this.#count % lanes}`
  }
}
