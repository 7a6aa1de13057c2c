import { newId } from '#src/kernel/ids.ts'
import { listDueRooms } from './changes.ts'
import { type CopyingDeps, RoomCopying } from './room-copying.ts'

/** How soon the changes of a process that was killed are found, and those that waited. */
const LOOK_MS = 2000
const ROOMS = 20

/**
 * Copies announcements to the rooms that follow them. What is to be copied is in the database, so that a crash loses nothing;
 * copies are written together with a mark, so that it doubles nothing.
 */
export class Copier {
  readonly #deps: CopyingDeps
  readonly #leaseId = newId()
  readonly #closing = new AbortController()
  readonly #timer: NodeJS.Timeout
  #running: Promise<void> | undefined
  #isAsked = false

  constructor(deps: CopyingDeps) {
    this.#deps = deps
    this.#timer = setInterval(() => this.look(), LOOK_MS).unref()
  }

  /** Copies whatever is due. */
  look(): void {
    this.#isAsked = true
    if (this.#closing.signal.aborted) return
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
    })
  }

  /** Ends after the copies that are being written. */
  async close(): Promise<void> {
    this.#closing.abort()
    clearInterval(this.#timer)
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#isAsked && !this.#closing.signal.aborted) {
      this.#isAsked = false
      await this.#copyAll().catch((error: unknown) =>
        this.#deps.log.warn({ err: error }, 'announcements could not be copied'),
      )
    }
  }

  async #copyAll(): Promise<void> {
    const options = { leaseId: this.#leaseId, signal: this.#closing.signal }
    const rooms = await listDueRooms(this.#deps.database, ROOMS)
    await Promise.all(rooms.map((source) => new RoomCopying(this.#deps, { ...options, source }).run()))
  }
}
