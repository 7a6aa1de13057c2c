import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Room } from '@foyer/protocol/rooms'
import type { Database } from '#src/kernel/database.ts'
import { encodeEvent } from '#src/kernel/events.ts'
import type { Metrics } from '#src/kernel/metrics.ts'
import { listRooms } from '#src/spaces/queries.ts'
import type { RankedMember, Snapshots, SpaceSnapshot } from '#src/spaces/snapshots.ts'
import { dispatchFrame, Frame } from './frames.ts'
import type { Listeners } from './listeners.ts'
import type { Shift } from './space-listeners.ts'

export interface AccessChangeDeps {
  database: Database
  snapshots: Snapshots
  listeners: Listeners
  metrics: Metrics
}

/** Connections told, and milliseconds worked, in one turn of the event loop: others want their turn too. */
const TOLD_PER_TURN = 500
const MAX_TURN_MS = 5

/**
 * Works out who hears the space now that its roles, overwrites, rooms or owner changed, and tells who gained or lost
 * rooms by it. The space's events must wait meanwhile.
 */
export async function applyAccessChange(deps: AccessChangeDeps, spaceId: string): Promise<void> {
  const { snapshots, listeners } = deps
  const next = await snapshots.find(spaceId)
  const space = listeners.findSpace(spaceId)
  if (space === undefined) return
  if (next === undefined) return listeners.removeSpace(spaceId)
  space.setApart(next, (userId) => listeners.ofUser(userId))
  await new Teller(deps, spaceId, next).tell(space.shifts(next))
  space.adopt(next)
}

/** The same for a member whose roles changed. */
export async function applyMemberChange(
  deps: AccessChangeDeps,
  spaceId: string,
  member: RankedMember,
): Promise<void> {
  const { snapshots, listeners } = deps
  const snapshot = await snapshots.find(spaceId)
  const shifts = listeners.findSpace(spaceId)?.move([...listeners.ofUser(member.user_id)], member)
  if (snapshot !== undefined && shifts !== undefined) await new Teller(deps, spaceId, snapshot).tell(shifts)
}

/** Tells connections of the rooms that they gained and lost. These events have no place in the journal: the change has. */
class Teller {
  readonly #deps: AccessChangeDeps
  readonly #spaceId: string
  readonly #snapshot: SpaceSnapshot
  readonly #frames = new Map<string, Frame>()
  #rooms: ReadonlyMap<string, Room> | undefined
  #told = 0
  #turnBegan = performance.now()

  constructor(deps: AccessChangeDeps, spaceId: string, snapshot: SpaceSnapshot) {
    this.#deps = deps
    this.#spaceId = spaceId
    this.#snapshot = snapshot
  }

  async tell(shifts: Iterable<Shift>): Promise<void> {
    for (const shift of shifts) {
      await this.#tellOne(shift)
      if (performance.now() - this.#turnBegan > MAX_TURN_MS) await this.#rest()
    }
  }

  async #tellOne({ connections, lost, gained }: Shift): Promise<void> {
    const rooms = gained.length > 0 ? await this.#loadRooms() : undefined
    const frames = [
      ...lost.map((roomId) => this.#frameOfLost(roomId)),
      ...gained.flatMap((roomId) => this.#frameOfGained(rooms?.get(roomId))),
    ]
    if (frames.length === 0) return
    const frame = Frame.concat(frames)
    this.#deps.metrics.deliveries.inc(frames.length * connections.size)
    for (const connection of connections) {
      connection.hear(frame, false)
      this.#told += 1
      if (this.#told % TOLD_PER_TURN === 0) await this.#rest()
    }
  }

  async #rest(): Promise<void> {
    await nextTurn()
    this.#turnBegan = performance.now()
  }

  /** As they are by now: the snapshot does not follow their newest messages. */
  async #loadRooms(): Promise<ReadonlyMap<string, Room>> {
    if (this.#rooms !== undefined) return this.#rooms
    const rooms = await listRooms(this.#deps.database, [this.#spaceId])
    this.#rooms = new Map(rooms.map((room) => [room.id, room]))
    return this.#rooms
  }

  #frameOfLost(roomId: string): Frame {
    return this.#remember(`lost ${roomId}`, () => {
      const data = { space_id: this.#spaceId, room_id: roomId }
      return dispatchFrame({ id: undefined, name: 'ROOM_DELETE', data: encodeEvent('ROOM_DELETE', data) })
    })
  }

  /** The room with its overwrites; nothing for one that was deleted meanwhile. */
  #frameOfGained(room: Room | undefined): Frame[] {
    if (room === undefined) return []
    const frame = this.#remember(`gained ${room.id}`, () => {
      const overwrites = this.#snapshot.overwrites.get(room.id) ?? []
      const events = overwrites.map((overwrite) =>
        encodeEvent('ROOM_OVERWRITE_UPDATE', { space_id: this.#spaceId, ...overwrite }),
      )
      return Frame.concat([
        dispatchFrame({ id: undefined, name: 'ROOM_CREATE', data: encodeEvent('ROOM_CREATE', room) }),
        ...events.map((data) => dispatchFrame({ id: undefined, name: 'ROOM_OVERWRITE_UPDATE', data })),
      ])
    })
    return [frame]
  }

  #remember(key: string, make: () => Frame): Frame {
    const known = this.#frames.get(key) ?? make()
    this.#frames.set(key, known)
    return known
  }
}
