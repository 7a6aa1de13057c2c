import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Room } from '@foyer/protocol/rooms'
import type { Database } from '#src/kernel/database.ts'
import { encodeEvent } from '#src/kernel/events.ts'
import type { Metrics } from '#src/kernel/metrics.ts'
import { listRooms } from '#src/spaces/queries.ts'
import type { SpaceSnapshot } from '#src/spaces/snapshots.ts'
import type { Connection } from './connection.ts'
import { dispatchFrame, Frame } from './frames.ts'
import type { Shift } from './space-listeners.ts'

export interface TellerDeps {
  database: Database
  metrics: Metrics
}

/** Connections told, and milliseconds worked, in one turn of the event loop: others want their turn too. */
const TOLD_PER_TURN = 500
const MAX_TURN_MS = 5

/**
 * Tells connections what they gained and lost of a space, in pieces that leave the event loop its turns. These events
 * have no place in the journal: the change has.
 */
export class Teller {
  readonly #deps: TellerDeps
  readonly #spaceId: string
  readonly #frames = new Map<string, Frame>()
  #rooms: ReadonlyMap<string, Room> | undefined
  #told = 0
  #turnBegan = performance.now()

  constructor(deps: TellerDeps, spaceId: string) {
    this.#deps = deps
    this.#spaceId = spaceId
  }

  /** @param snapshot that shows what was gained */
  async tellShifts(shifts: Iterable<Shift>, snapshot: SpaceSnapshot): Promise<void> {
    for (const { connections, lost, gained } of shifts) {
      const rooms = gained.length > 0 ? await this.#loadRooms() : undefined
      await this.#tell(connections, [
        ...lost.map((roomId) => this.#frameOfLost(roomId)),
        ...gained.flatMap((roomId) => this.#frameOfGained(snapshot, rooms?.get(roomId))),
      ])
    }
  }

  async tellEnd(connections: ReadonlySet<Connection>): Promise<void> {
    const data = encodeEvent('SPACE_DELETE', { space_id: this.#spaceId })
    await this.#tell(connections, [dispatchFrame({ id: undefined, name: 'SPACE_DELETE', data })])
  }

  async #tell(connections: ReadonlySet<Connection>, frames: readonly Frame[]): Promise<void> {
    if (frames.length > 0) await this.#send(connections, Frame.concat(frames))
    this.#deps.metrics.deliveries.inc(frames.length * connections.size)
    if (performance.now() - this.#turnBegan > MAX_TURN_MS) await this.#rest()
  }

  async #send(connections: ReadonlySet<Connection>, frame: Frame): Promise<void> {
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

  /** Asked for now: the snapshot does not follow their newest messages. */
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
  #frameOfGained(snapshot: SpaceSnapshot, room: Room | undefined): Frame[] {
    if (room === undefined) return []
    const frame = this.#remember(`gained ${room.id}`, () => {
      const overwrites = snapshot.overwrites.get(room.id) ?? []
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
