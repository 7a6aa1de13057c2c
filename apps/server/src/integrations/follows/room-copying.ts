import {
  type ChangeRow,
  lease,
  listDueChanges,
  postpone,
  release,
  settleChanges,
  waitForEarlier,
} from './changes.ts'
import { type CopyRow, expireMarks, listCopies, preventCopies } from './copies.ts'
import { type CopyingDeps, deleteCopies } from './copying.ts'
import { type FollowerPage, pageFollowers } from './followers.ts'
import { logChanges } from './log.ts'
import { findOriginals } from './originals.ts'
import type { Source } from './queries.ts'
import { type Outcome, Serving } from './serving.ts'

/** Changes read at once. */
const CHANGES = 50
/** Interval between renewals of the lease on the room, because making copies may take longer than the lease. */
const BEAT_MS = 2000

/** Copies the changes of one announcement room to all rooms that follow it. */
export class RoomCopying {
  readonly #deps: CopyingDeps
  readonly #source: Source
  readonly #leaseId: string
  /** Announcements with slow copies, by message. The room continues without waiting for them. */
  readonly #open = new Map<string, Promise<void>>()
  #awake = Promise.withResolvers<void>()

  /** @param leaseId identifies this process */
  constructor(deps: CopyingDeps, source: Source, leaseId: string) {
    this.#deps = deps
    this.#source = source
    this.#leaseId = leaseId
  }

  /** Continues, if the room waits for slow copies. */
  wake(): void {
    this.#awake.resolve()
  }

  /** Copies all changes that are due, unless another process copies from the room. */
  async run(): Promise<void> {
    if (!(await this.#keep())) return
    const beat = setInterval(() => this.#keep().catch(() => undefined), BEAT_MS)
    try {
      while (await this.#goOn());
    } finally {
      await Promise.all(this.#open.values())
      clearInterval(beat)
      await release(this.#deps.database, this.#source, this.#leaseId)
    }
  }

  /** @returns false if nothing is left to do */
  async #goOn(): Promise<boolean> {
    if (await this.#copySome()) return true
    if (this.#open.size === 0 || this.#deps.signal.aborted) return false
    await this.#awake.promise
    this.#awake = Promise.withResolvers()
    return this.#keep()
  }

  /** Renews the lease. Returns false if the process stops, or another process has the lease. */
  async #keep(): Promise<boolean> {
    return !this.#deps.signal.aborted && (await lease(this.#deps.database, this.#source, this.#leaseId))
  }

  /** @returns false if nothing is due, or the process stops */
  async #copySome(): Promise<boolean> {
    const { database } = this.#deps
    const changes = await listDueChanges(database, this.#source, CHANGES + this.#open.size)
    // Settled changes are deleted, so they are written to the room's log first.
    if (changes.length > 0) await logChanges(database, this.#source)
    const ids = changes.map(({ message_id }) => message_id)
    const found = ids.length === 0 ? new Map() : await findOriginals(database, this.#source, ids)
    const isDeleted = ({ message_id }: ChangeRow) => found.get(message_id) === 'deleted'
    const deleted = changes.filter(isDeleted)
    const others = changes.filter((change) => !isDeleted(change) && !this.#open.has(change.message_id))
    if (!(await this.#deleteAll(deleted))) return false
    for (const change of others) {
      if (!(await this.#keep())) return false
      await this.#copyOne(change)
    }
    return deleted.length + others.length > 0
  }

  async #copyOne(change: ChangeRow): Promise<void> {
    const serving = new Serving(this.#deps, this.#source, change)
    const outcome = await serving.run(() => this.#keep())
    if (!serving.isOpen) return this.#conclude(change, outcome, serving)
    const { message_id: id } = change
    const concluded = serving
      .finish()
      .then(() => this.#conclude(change, outcome, serving))
      .catch((error: unknown) => this.#deps.log.warn({ err: error }, 'an announcement is copied again'))
      .finally(() => {
        this.#open.delete(id)
        this.wake()
      })
    this.#open.set(id, concluded)
  }

  async #conclude(change: ChangeRow, outcome: Outcome, { hasFailed, isBehind }: Serving): Promise<void> {
    const { database, signal, log } = this.#deps
    if (signal.aborted || outcome === 'deleted' || outcome === 'waits' || outcome === 'stopped') return
    if (!hasFailed && isBehind) return waitForEarlier(database, this.#source, change)
    if (!hasFailed) return settleChanges(database, this.#source, [change])
    const isLeft = await postpone(database, this.#source, change)
    if (!isLeft) log.error({ message: change.message_id }, 'an announcement could not be copied everywhere')
  }

  /** Deletes the copies of deleted announcements, also in frozen spaces. @returns false if the process stops */
  async #deleteAll(changes: readonly ChangeRow[]): Promise<boolean> {
    if (changes.length === 0) return true
    const { database } = this.#deps
    let isWhole = true
    for await (const page of pageFollowers(this.#deps, this.#source)) {
      const isDone = await this.#deletePage(page, changes)
      isWhole &&= isDone
      if (!(await this.#keep())) return false
    }
    if (isWhole) await settleChanges(database, this.#source, changes)
    else for (const change of changes) await postpone(database, this.#source, change)
    return true
  }

  /** @returns false if some copies could not be deleted */
  async #deletePage({ follows, followers }: FollowerPage, changes: readonly ChangeRow[]): Promise<boolean> {
    const { database, log } = this.#deps
    const ids = changes.map(({ message_id }) => message_id)
    const newest = Math.max(...changes.map(({ seq }) => seq))
    const begun = follows.filter(({ after_seq }) => after_seq < newest)
    const concerned = new Set(begun.map(({ webhook_id }) => webhook_id))
    await preventCopies(
      database,
      followers.filter(({ id }) => concerned.has(id)),
      ids,
    )
    const copies = await listCopies(database, followers, ids)
    const there = copies.filter(({ message_id }) => message_id !== null)
    const byRoom = Map.groupBy(there, ({ webhook_id, room_id }) => `${webhook_id} ${room_id}`)
    const deleting = await Promise.allSettled([...byRoom.values()].map((some) => this.#deleteIn(some)))
    const failures = deleting.filter((outcome) => outcome.status === 'rejected')
    for (const { reason } of failures) log.warn({ err: reason }, 'copies were not deleted')
    return failures.length === 0
  }

  async #deleteIn(copies: readonly CopyRow[]): Promise<void> {
    const { turns, database } = this.#deps
    await turns.change(this.#source.roomId, () => deleteCopies(this.#deps, copies))
    await expireMarks(database, copies)
  }
}
