import type { Logger } from 'pino'
import { type Static, Type } from 'typebox'
import type { Place } from '#src/channels/place.ts'
import type { Database, Transaction } from '#src/kernel/database/database.ts'
import { runPaced } from '#src/kernel/pacing.ts'
import { deleteMessages } from '#src/messages/actions/messages.ts'
import { keepUnheld, listAged, listAgedRooms } from './retention-queries.ts'

/** Ids per MESSAGE_DELETE_BULK, as in a bulk deletion by request. */
const BATCH = 100
/** Rooms per look-up. The next look-up continues after them, so that rooms take turns. */
const ROOMS_AT_ONCE = 50
/** Maximum rooms left out. If more fail, the rooms are not the cause, and the run ends with the error. */
const MAX_SKIPPED = 1000

/** State that one run hands over to the next run. */
export const RetentionProgress = Type.Object({
  /** The last room of the look-up. The next look-up continues after it, so that all rooms get their turn. */
  last: Type.Optional(Type.Object({ tenantId: Type.String(), channelId: Type.String() })),
  /** Rooms whose deletion failed, or in which nothing could be deleted. They are left out until a run starts without progress. */
  skipped: Type.Array(Type.String()),
  failures: Type.Integer(),
})
export type RetentionProgress = Static<typeof RetentionProgress>

interface RetentionDeps {
  database: Database
  log: Logger
}

/**
 * Deletes messages that exceed the retention of their room or space, with all related rows, like a bulk deletion by a
 * moderator.
 */
export class Retention {
  readonly #deps: RetentionDeps
  readonly #skipped: Set<string>
  #rooms: Place[] = []
  #last: Place | undefined
  #failures: number

  /** @param progress state of the run to continue; undefined to start over */
  constructor(deps: RetentionDeps, progress?: RetentionProgress) {
    this.#deps = deps
    this.#last = progress?.last
    this.#skipped = new Set(progress?.skipped)
    this.#failures = progress?.failures ?? 0
  }

  /**
   * @returns the progress if more may be left
   * @throws Error if the deletion failed in some rooms, after all other rooms were done
   */
  async run(signal?: AbortSignal): Promise<RetentionProgress | undefined> {
    if (await runPaced(() => this.#step(), signal)) return this.#progress()
    if (this.#failures > 0)
      throw new Error(`rooms whose messages could not be deleted for their age: ${this.#failures}`)
    return undefined
  }

  #progress(): RetentionProgress {
    return {
      ...(this.#last !== undefined && { last: this.#last }),
      ...{ skipped: [...this.#skipped], failures: this.#failures },
    }
  }

  /** @returns false if nothing is left */
  async #step(): Promise<boolean> {
    const room = this.#rooms.shift()
    if (room === undefined) return this.#lookUp()
    try {
      const result = await this.#deps.database.transaction((transaction) => deleteSome(transaction, room))
      if (result === 'more') this.#rooms.push(room)
      if (result === 'nothing') this.#skip(room)
    } catch (error) {
      this.#fail(room, error)
    }
    return true
  }

  async #lookUp(): Promise<boolean> {
    const page = { after: this.#last, skipped: [...this.#skipped], limit: ROOMS_AT_ONCE }
    this.#rooms = await listAgedRooms(this.#deps.database, page)
    const wasFirst = this.#last === undefined
    this.#last = this.#rooms.at(-1)
    // Starts over after the last room, until no room has such messages.
    return this.#rooms.length > 0 || !wasFirst
  }

  #fail(room: Place, error: unknown): void {
    const { tenantId: space_id, channelId: room_id } = room
    this.#deps.log.error({ err: error, space_id, room_id }, 'messages could not be deleted for their age')
    this.#failures += 1
    this.#skip(room)
    if (this.#skipped.size > MAX_SKIPPED) throw error
  }

  #skip({ channelId }: Place): void {
    this.#skipped.add(channelId)
  }
}

/** @returns `more` if messages may be left; `nothing` if none of the listed messages could be deleted */
async function deleteSome(transaction: Transaction, room: Place): Promise<'more' | 'done' | 'nothing'> {
  if (!(await keepUnheld(transaction, room.tenantId))) return 'done'
  const ids = await listAged(transaction, room, BATCH)
  const deleted = await deleteMessages(transaction, room, ids)
  if (ids.length > 0 && deleted === 0) return 'nothing'
  return ids.length === BATCH ? 'more' : 'done'
}
