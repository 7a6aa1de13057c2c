import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Room } from '@foyer/protocol/rooms'
import type { VoiceState } from '@foyer/protocol/voice'
import type { Database } from '#src/kernel/database.ts'
import type { Metrics } from '#src/kernel/metrics.ts'
import { listRooms } from '#src/spaces/queries.ts'
import type { SpaceSnapshot } from '#src/spaces/snapshots.ts'
import { listVoiceStates } from '#src/spaces/voice-states.ts'
import type { Connection } from './connection.ts'
import { Frame } from './frames.ts'
import type { Listeners } from './listeners.ts'
import type { Shift } from './space-listeners.ts'
import { frameOf } from './told-frames.ts'

export interface TellerDeps {
  database: Database
  metrics: Metrics
  listeners: Listeners
}

interface FoundRooms {
  readonly rooms: ReadonlyMap<string, Room>
  readonly voices: ReadonlyMap<string | null, readonly VoiceState[]>
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
  #found: FoundRooms | undefined
  #told = 0
  #turnBegan = performance.now()

  constructor(deps: TellerDeps, spaceId: string) {
    this.#deps = deps
    this.#spaceId = spaceId
  }

  /** @param snapshot that shows what was gained */
  async tellShifts(shifts: AsyncIterable<Shift>, snapshot: SpaceSnapshot): Promise<void> {
    const [spaceId, { listeners }] = [this.#spaceId, this.#deps]
    for await (const { connections, lost, gained } of shifts) {
      if (lost.length > 0) listeners.lose({ spaceId, connections, roomIds: lost })
      const found = gained.length > 0 ? await this.#findRooms() : undefined
      await this.#tell(connections, [
        ...lost.map((roomId) => this.#frameOfLost(roomId)),
        ...gained.flatMap((roomId) => this.#frameOfGained(snapshot, found, roomId)),
      ])
    }
  }

  async tellEnd(connections: ReadonlySet<Connection>): Promise<void> {
    await this.#tell(connections, [frameOf('SPACE_DELETE', { space_id: this.#spaceId })])
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

  /** Asked for now: the snapshot does not follow their newest messages, and who is in them. */
  async #findRooms(): Promise<FoundRooms> {
    if (this.#found !== undefined) return this.#found
    const { database } = this.#deps
    const [rooms, voices] = await Promise.all([
      listRooms(database, [this.#spaceId]),
      listVoiceStates(database, [this.#spaceId]),
    ])
    this.#found = {
      rooms: new Map(rooms.map((room) => [room.id, room])),
      voices: Map.groupBy(voices, ({ room_id }) => room_id),
    }
    return this.#found
  }

  #frameOfLost(roomId: string): Frame {
    return this.#remember(`lost ${roomId}`, () => {
      return frameOf('ROOM_DELETE', { space_id: this.#spaceId, room_id: roomId })
    })
  }

  /** The room with its overwrites and who is in it; nothing for one that was deleted meanwhile. */
  #frameOfGained(snapshot: SpaceSnapshot, found: FoundRooms | undefined, roomId: string): Frame[] {
    const room = found?.rooms.get(roomId)
    if (room === undefined) return []
    const frame = this.#remember(`gained ${roomId}`, () => {
      const overwrites = snapshot.overwrites.get(roomId) ?? []
      const voices = found?.voices.get(roomId) ?? []
      return Frame.concat([
        frameOf('ROOM_CREATE', room),
        ...overwrites.map((overwrite) =>
          frameOf('ROOM_OVERWRITE_UPDATE', { space_id: this.#spaceId, ...overwrite }),
        ),
        ...voices.map((voice) => frameOf('VOICE_STATE_UPDATE', voice)),
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
