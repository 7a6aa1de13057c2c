import type { Needed } from '@foyer/protocol/rights'
import { Cache } from '#src/kernel/cache.ts'
import type { Database } from '#src/kernel/database/database.ts'
import type { Bus, Event } from '#src/kernel/journal/bus.ts'
import type { Caller } from '#src/kernel/secrets/credentials.ts'
import { type Queryable, sql } from '#src/kernel/sql/sql.ts'
import { accessRoomIn, accessSpace, type RoomAccess } from './access.ts'
import type { Snapshots } from './snapshots.ts'

/** The space and room of a thread, and whether it takes messages. */
export interface ThreadPlace {
  readonly id: string
  readonly space_id: string
  readonly room_id: string
  readonly is_closed: boolean
}

const CACHED_THREADS = 200_000

/**
 * Caches the places of threads in use, one by one. A room may have a hundred thousand threads, so they are not part of a
 * space's snapshot. An event drops the places that it changed before any subscriber can ask again.
 */
export class ThreadPlaces {
  readonly #places: Cache<ThreadPlace | undefined>

  constructor({ database, bus }: { database: Database; bus: Bus }) {
    this.#places = new Cache(CACHED_THREADS, bus.freshness, (id) => findThreadPlace(database, id))
  }

  receive(events: readonly Event[]): void {
    for (const { name, data } of events) if (CHANGES.has(name)) this.#places.drop(idIn(data))
  }

  find(id: string): Promise<ThreadPlace | undefined> {
    return this.#places.get(id)
  }

  /** Returns true if the id is known to be that of a thread, because the thread is cached. */
  has(id: string): boolean {
    return this.#places.peek(id) !== undefined
  }
}

/**
 * Checks access to the room of a thread. The caller has the same rights in the thread.
 * @param needed the right that the caller needs in the room, besides ViewChannels
 * @throws ApiError with the errors of `accessSpace` and `accessRoomIn`
 */
export async function accessRoomOf(
  snapshots: Snapshots,
  caller: Caller,
  { space_id, room_id }: ThreadPlace,
  needed: Needed = 0,
): Promise<RoomAccess> {
  return accessRoomIn(await accessSpace(snapshots, caller, space_id), room_id, needed)
}

const CHANGES = new Set(['THREAD_UPDATE', 'THREAD_DELETE'])

function idIn(data: string): string {
  const { id }: { id: string } = JSON.parse(data)
  return id
}

async function findThreadPlace(database: Queryable, id: string): Promise<ThreadPlace | undefined> {
  const [place] = await database.query<ThreadPlace>(sql`
    select id, space_id, room_id, is_closed from thread_rooms where id = ${id}`)
  return place
}
