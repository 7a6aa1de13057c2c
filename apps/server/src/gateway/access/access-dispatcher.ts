import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Room } from '@foyer/protocol/rooms'
import type { VoiceState } from '@foyer/protocol/voice'
import type { Database } from '#src/kernel/database/database.ts'
import type { Metrics } from '#src/kernel/metrics.ts'
import { listRooms } from '#src/spaces/queries.ts'
import type { SpaceSnapshot } from '#src/spaces/snapshots.ts'
import { listVoiceStates } from '#src/spaces/voice-states.ts'
import type { Connection } from '../connections/connection.ts'
import { Frame } from '../connections/frames.ts'
import type { Listeners } from '../listeners/listeners.ts'
import type { Shift } from '../listeners/space-listeners.ts'
import { stateFrame } from './state-frames.ts'

export interface AccessDispatcherDeps {
  database: Database
  metrics: Metrics
  listeners: Listeners
}

interface FoundRooms {
  readonly rooms: ReadonlyMap<string, Room>
  readonly voices: ReadonlyMap<string | null, readonly VoiceState[]>
}

/** Limits per turn of the event loop, so that other work can run in between: frames sent, and milliseconds. */
const SENT_PER_TURN = 500
const MAX_TURN_MS = 5

/**
 * Sends connections the rooms they gained and lost, in batches that let the event loop do other work in between. These
 * events have no position in the journal; only the change that caused them has one.
 */
export class AccessDispatcher {
  readonly #deps: AccessDispatcherDeps
  readonly #spaceId: string
  readonly #frames = new Map<string, Frame>()
  #found: FoundRooms | undefined
  #sent = 0
  #turnBegan = performance.now()

  constructor(deps: AccessDispatcherDeps, spaceId: string) {
    this.#deps = deps
    this.#spaceId = spaceId
  }

  /** @param snapshot the current space, with the permissions of the gained rooms */
  async dispatchShifts(shifts: AsyncIterable<Shift>, snapshot: SpaceSnapshot): Promise<void> {
    const [spaceId, { listeners }] = [this.#spaceId, this.#deps]
    for await (const { connections, lost, gained } of shifts) {
      if (lost.length > 0) listeners.reportLoss({ spaceId, connections, roomIds: lost })
      const found = gained.length > 0 ? await this.#findRooms() : undefined
      await this.#dispatch(connections, [
        ...lost.map((roomId) => this.#frameOfLost(roomId)),
        ...gained.flatMap((roomId) => this.#frameOfGained(snapshot, found, roomId)),
      ])
    }
  }

  async dispatchEnd(connections: ReadonlySet<Connection>): Promise<void> {
    await this.#dispatch(connections, [stateFrame('SPACE_DELETE', { space_id: this.#spaceId })])
  }

  async #dispatch(connections: ReadonlySet<Connection>, frames: readonly Frame[]): Promise<void> {
    if (frames.length > 0) await this.#send(connections, Frame.concat(frames))
    this.#deps.metrics.deliveries.inc(frames.length * connections.size)
    if (performance.now() - this.#turnBegan > MAX_TURN_MS) await this.#rest()
  }

  async #send(connections: ReadonlySet<Connection>, frame: Frame): Promise<void> {
    for (const connection of connections) {
      connection.dispatch(frame, false)
      this.#sent += 1
      if (this.#sent % SENT_PER_TURN === 0) await this.#rest()
    }
  }

  async #rest(): Promise<void> {
    await nextTurn()
    this.#turnBegan = performance.now()
  }

  /** Reads rooms and voice states from the database, because the snapshot does not follow new messages and voice states. */
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
      return stateFrame('ROOM_DELETE', { space_id: this.#spaceId, room_id: roomId })
    })
  }

  /** Returns one frame with the room, its overwrites and its voice states; an empty list if the room was just deleted. */
  #frameOfGained(snapshot: SpaceSnapshot, found: FoundRooms | undefined, roomId: string): Frame[] {
    const room = found?.rooms.get(roomId)
    if (room === undefined) return []
    const frame = this.#remember(`gained ${roomId}`, () => {
      const overwrites = snapshot.overwrites.get(roomId) ?? []
      const voices = found?.voices.get(roomId) ?? []
      return Frame.concat([
        stateFrame('ROOM_CREATE', room),
        ...overwrites.map((overwrite) =>
          stateFrame('ROOM_OVERWRITE_UPDATE', { space_id: this.#spaceId, ...overwrite }),
        ),
        ...voices.map((voice) => stateFrame('VOICE_STATE_UPDATE', voice)),
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
