import { newId } from '#src/kernel/ids.ts'
import { RepeatedWork } from '#src/kernel/repeated-work.ts'
import { listDueRooms } from './changes.ts'
import { CopyTurns } from './copy-turns.ts'
import type { CopierDeps, CopyingDeps } from './copying.ts'
import type { Source } from './queries.ts'
import { RoomCopying } from './room-copying.ts'

/** Interval between searches for due changes: postponed ones, and changes that a killed process left. */
const LOOK_MS = 2000
/** Maximum rooms from which a process copies at the same time. */
const ROOMS = 50

/**
 * Copies announcements to the rooms that follow them. Changes to copy are in the database, so that a crash loses
 * none. Each copy is written together with a mark, so that none is written twice. Rooms do not wait for each other.
 */
export class Copier {
  readonly #deps: CopyingDeps
  readonly #leaseId = newId()
  readonly #closing = new AbortController()
  readonly #looking: RepeatedWork
  readonly #rooms = new Map<string, { copying: RoomCopying; done: Promise<void> }>()

  constructor(deps: CopierDeps, lookMs = LOOK_MS) {
    this.#deps = { ...deps, turns: new CopyTurns(), signal: this.#closing.signal }
    this.#looking = new RepeatedWork(() => this.#look(), lookMs)
  }

  /** Copies all changes that are due. */
  look(): void {
    this.#looking.ask()
  }

  /** Begins no further copies, and waits for those in progress. */
  async close(): Promise<void> {
    this.#closing.abort()
    await this.#looking.end()
    const rooms = [...this.#rooms.values()]
    for (const { copying } of rooms) copying.wake()
    await Promise.all(rooms.map(({ done }) => done))
  }

  async #look(): Promise<void> {
    await this.#startRooms().catch((error: unknown) =>
      this.#deps.log.warn({ err: error }, 'announcements could not be copied'),
    )
  }

  async #startRooms(): Promise<void> {
    for (const { copying } of this.#rooms.values()) copying.wake()
    const due = await listDueRooms(this.#deps.database, [...this.#rooms.keys()], ROOMS - this.#rooms.size)
    for (const source of due) this.#start(source)
  }

  #start(source: Source): void {
    if (this.#rooms.has(source.roomId)) return
    const copying = new RoomCopying(this.#deps, source, this.#leaseId)
    const done = copying
      .run()
      .catch((error: unknown) => this.#deps.log.warn({ err: error }, 'announcements could not be copied'))
      .finally(() => this.#rooms.delete(source.roomId))
    this.#rooms.set(source.roomId, { copying, done })
  }
}
