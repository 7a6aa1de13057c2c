import { CloseCode } from '@foyer/protocol/gateway'
import type { Logger } from 'pino'
import type { Bus, Event } from '#src/kernel/bus.ts'
import { memberOf, type RankedMember } from '#src/spaces/snapshots.ts'
import { type AccessChangeDeps, applyAccessChange, applyMemberChange } from './access-changes.ts'
import type { Connection } from './connection.ts'
import { dispatchFrame, Frame } from './frames.ts'
import type { Gates } from './gates.ts'
import { nobody } from './listeners.ts'

export interface HubDeps extends AccessChangeDeps {
  bus: Bus
  gates: Gates
  log: Logger
}

/** Frames of neighbouring events for the same listeners: joined, they go out with one write a connection. */
interface Run {
  listeners: ReadonlySet<Connection>
  frames: Frame[]
  isPassing: boolean
}

/**
 * Hands what happened to the connections that may hear it, each event encoded once. Where an event changes who hears a
 * space, the space's later events wait until that is worked out.
 */
export class Hub {
  readonly #deps: HubDeps

  constructor(deps: HubDeps) {
    this.#deps = deps
    deps.bus.listen((events) => this.#hear(events))
  }

  #hear(events: readonly Event[]): void {
    const run: Run = { listeners: nobody, frames: [], isPassing: false }
    for (const event of events) this.#route(event, run)
    this.#send(run)
  }

  #route(event: Event, run: Run): void {
    const isHeld = this.#deps.gates.hold(gateOf(event), event)
    if (!isHeld) this.#take(event, run)
    if (event.name === 'SPACE_MEMBER_DELETE') this.#leaveSpace(event, run)
  }

  #take(event: Event, run: Run): void {
    const { kind, tenantId, channelId } = event.topic
    if (kind === 'session') return this.#endSession(channelId)
    this.#deliver(event, run)
    if (event.name === 'SPACE_CREATE') this.#enterSpace(event)
    if (event.name === 'SPACE_MEMBER_UPDATE') this.#changeMember(event)
    if (event.name === 'ROOM_DELETE') this.#deps.listeners.findSpace(tenantId)?.forgetRoom(channelId)
    // A role that the listeners do not know would give its members nothing.
    if (kind === 'access' || event.name === 'SPACE_ROLE_CREATE') this.#changeAccess(tenantId)
  }

  #deliver(event: Event, run: Run): void {
    const listeners = this.#listenersOf(event)
    if (listeners.size === 0) return
    const isPassing = event.id === undefined
    if (run.listeners !== listeners || run.isPassing !== isPassing) this.#startRun(run, listeners, isPassing)
    run.frames.push(dispatchFrame(event))
  }

  #startRun(run: Run, listeners: ReadonlySet<Connection>, isPassing: boolean): void {
    this.#send(run)
    run.listeners = listeners
    run.frames = []
    run.isPassing = isPassing
  }

  #send({ listeners, frames, isPassing }: Run): void {
    if (frames.length === 0) return
    const frame = Frame.concat(frames)
    for (const connection of listeners) connection.hear(frame, isPassing)
    this.#deps.metrics.deliveries.inc(frames.length * listeners.size)
  }

  #listenersOf({ topic, audience }: Event): ReadonlySet<Connection> {
    const { listeners } = this.#deps
    if (topic.kind === 'room') return listeners.ofRoom(topic.tenantId, topic.channelId)
    if (topic.kind === 'space') return listeners.ofSpace(topic.tenantId, audience)
    return topic.kind === 'user' ? listeners.ofUser(topic.tenantId) : nobody
  }

  /** The user's connections must hear the space before anything else happens in it. */
  #enterSpace(event: Event): void {
    const spaceId = gateOf(event)
    const userId = event.topic.tenantId
    const connections = this.#deps.listeners.ofUser(userId)
    if (connections.size === 0) return
    for (const connection of connections) connection.membershipChanges += 1
    this.#behindGate(spaceId, connections, () => this.#subscribe(connections, spaceId, userId))
  }

  /** Who left within the wait keeps nothing: `connections` is the user's set as it is by now. */
  async #subscribe(connections: ReadonlySet<Connection>, spaceId: string, userId: string): Promise<void> {
    const { snapshots, listeners } = this.#deps
    const [snapshot, member] = await Promise.all([
      snapshots.find(spaceId),
      snapshots.findMember(spaceId, userId),
    ])
    if (snapshot === undefined || member === undefined) return
    for (const connection of connections) listeners.addToSpace(connection, snapshot, member)
  }

  /** Other roles are heard by another audience. */
  #changeMember(event: Event): void {
    const member: RankedMember = JSON.parse(event.data)
    const spaceId = event.topic.tenantId
    const space = this.#deps.listeners.findSpace(spaceId)
    const connections = this.#deps.listeners.ofUser(member.user_id)
    for (const connection of connections) connection.membershipChanges += 1
    const isOutdated = [...connections].some((connection) => space?.isOutdated(connection, member))
    if (isOutdated)
      this.#behindGate(spaceId, connections, () => applyMemberChange(this.#deps, spaceId, member))
  }

  #changeAccess(spaceId: string): void {
    const connections = this.#deps.listeners.ofSpace(spaceId)
    if (connections.size === 0) return
    this.#behindGate(spaceId, connections, () => applyAccessChange(this.#deps, spaceId))
  }

  /** Leaving counts at once, before what waits at the gate is out. What came before it goes out first. */
  #leaveSpace(event: Event, run: Run): void {
    this.#startRun(run, nobody, false)
    for (const connection of this.#deps.listeners.ofUser(memberOf(event))) {
      connection.membershipChanges += 1
      this.#deps.listeners.removeFromSpace(connection, event.topic.tenantId)
    }
  }

  /** Has the space's events wait until the work is done. */
  #behindGate(spaceId: string, concerned: ReadonlySet<Connection>, work: () => Promise<void>): void {
    const { gates } = this.#deps
    gates.close(spaceId)
    work()
      .catch((error) => this.#abandon(spaceId, concerned, error))
      .finally(() => this.#hear(gates.open(spaceId)))
  }

  /** Without knowing what they may hear, they are told nothing: they resume and get it from the journal. */
  #abandon(spaceId: string, connections: ReadonlySet<Connection>, error: unknown): void {
    this.#deps.log.error({ err: error }, 'the listeners of a space could not be worked out')
    for (const connection of [...connections]) {
      this.#deps.listeners.removeFromSpace(connection, spaceId)
      connection.close(CloseCode.Unknown, 'internal error')
    }
  }

  #endSession(sessionId: string): void {
    for (const connection of this.#deps.listeners.ofSession(sessionId)) {
      connection.close(CloseCode.SessionEnded, 'the session ended')
    }
  }
}

/** The space that an event belongs behind: a user's SPACE_CREATE takes its turn among the events of that space. */
function gateOf({ name, topic, data }: Event): string {
  if (name !== 'SPACE_CREATE') return topic.tenantId
  const space: { id: string } = JSON.parse(data)
  return space.id
}
