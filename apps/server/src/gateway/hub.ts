import type { Conversation } from '@foyer/protocol/conversations'
import { CloseCode } from '@foyer/protocol/gateway'
import type { SpaceState } from '@foyer/protocol/spaces'
import type { Logger } from 'pino'
import { conversationOf } from '#src/conversations/facts.ts'
import type { Bus, Event } from '#src/kernel/bus.ts'
import { MAX_DELIVERY_MS } from '#src/kernel/database.ts'
import { firstIdAt, idTime } from '#src/kernel/ids.ts'
import { memberOf, type RankedMember } from '#src/spaces/snapshots.ts'
import { VOICE_SIGNAL } from '#src/voice/signals.ts'
import {
  type AccessChangeDeps,
  applyAccessChange,
  applyEntrance,
  applyMemberChange,
} from './access-changes.ts'
import { ChannelOrder } from './channel-order.ts'
import type { Connection } from './connection.ts'
import { dispatchFrame, Frame } from './frames.ts'
import type { Gates } from './gates.ts'
import { seqOf } from './message-seq.ts'
import { findMissedMessages, type MissedMessages, tellMissedMessages } from './missed-messages.ts'
import { type Audience, nobody } from './space-listeners.ts'
import { Supersession } from './supersession.ts'

export interface HubDeps extends AccessChangeDeps {
  bus: Bus
  gates: Gates
  log: Logger
  /** Undefined for a process that is alone. */
  cluster: object | undefined
}

/** Neighbouring events for the same listeners: joined, their frames go out with one write a connection. */
interface Run {
  audience: Audience
  events: Event[]
  isPassing: boolean
}

/**
 * Hands what happened to the connections that may hear it, each event encoded once. Where an event changes who hears a
 * space, the space's later events wait until that is worked out.
 */
export class Hub {
  readonly #deps: HubDeps
  readonly #order: ChannelOrder
  readonly #supersession = new Supersession()
  /** What an event changes of who hears what, once it is out itself. */
  readonly #consequences: Readonly<Record<string, (event: Event) => void>> = {
    SPACE_CREATE: (event) => this.#enterSpace(event),
    SPACE_DELETE: (event) => this.#endSpace(event),
    SPACE_MEMBER_UPDATE: (event) => this.#changeMember(event),
    SPACE_MEMBER_DELETE: (event) => this.#leaveSpace(event),
    SPACE_ACCESS_CHANGE: (event) => this.#changeAccess(event),
    // A role that the listeners do not know would give its members nothing.
    SPACE_ROLE_CREATE: (event) => this.#changeAccess(event),
    ROOM_DELETE: (event) => this.#forgetRoom(event),
    CONVERSATION_CREATE: (event) => this.#enterConversation(event),
    CONVERSATION_DELETE: (event) => this.#leaveConversation(event),
    SESSION_END: (event) => this.#endSession(event),
  }

  constructor(deps: HubDeps) {
    this.#deps = deps
    this.#order = new ChannelOrder({
      ...deps,
      isAlone: deps.cluster === undefined,
      findMissing: (after, event) => this.#findMissing(after, event),
      deliver: (events) => this.#routeAll(events),
    })
    deps.bus.listenInOrder((events) => this.#hear(events))
  }

  /** One after the other: how far a channel is counts for who enters it by an event that stands between its messages. */
  #hear(events: readonly Event[]): void {
    const run = openRun()
    for (const event of events) for (const due of this.#admit(event)) this.#route(due, run)
    this.#send(run)
  }

  /** The events whose turn it is now, in their order. */
  #admit(event: Event): readonly Event[] {
    if (this.#supersession.isSuperseded(event)) return []
    const { kind } = event.topic
    // Who moves between rooms leaves the one before they come to the other: neither waits for messages.
    const isUnordered = event.name === 'VOICE_STATE_UPDATE' || (kind !== 'room' && kind !== 'conversation')
    if (isUnordered) return [event]
    return this.#order.admit(event, this.#deps.listeners.audienceOf(event).size > 0)
  }

  #findMissing(after: number, event: Event): Promise<Event[]> {
    const { tenantId, channelId } = event.topic
    return findMissedMessages(this.#deps.database, tenantId, {
      gaps: [{ channelId, after, upTo: seqOf(event) ?? 0 }],
      // Who came meanwhile hears some of it twice: what commits now may have its id from long before they came.
      since: firstIdAt(idTime(event.id ?? '') - MAX_DELIVERY_MS),
    })
  }

  #routeAll(events: readonly Event[]): void {
    const run = openRun()
    for (const event of events) this.#route(event, run)
    this.#send(run)
  }

  #route(event: Event, run: Run): void {
    const isHeld = this.#deps.gates.hold(gateOf(event), event)
    if (!isHeld) this.#deliver(event, run)
    // Leaving counts at once, even before what waits: the space may be further than its events by then, and show to who
    // has left the rooms that only their own overwrites hid.
    const isDue = !isHeld || event.name === 'SPACE_MEMBER_DELETE'
    const consequence = isDue ? this.#consequences[event.name] : undefined
    if (consequence === undefined) return
    // What came before it is for those who are there now.
    this.#send(run)
    consequence(event)
  }

  #deliver(event: Event, run: Run): void {
    const { listeners } = this.#deps
    if (event.name === 'ROOM_CREATE')
      listeners.findSpace(event.topic.tenantId)?.addRoom(event.topic.channelId)
    const heard = listeners.audienceOf(event)
    const audience = isNotice(event) ? listeners.withoutQuiet(event.topic.tenantId, heard) : heard
    if (audience.size === 0) return
    // A slow reader who misses a signal of voice would not know whom it hears.
    const isPassing = event.id === undefined && event.name !== VOICE_SIGNAL
    if (run.audience !== audience || run.isPassing !== isPassing) this.#send(run)
    run.audience = audience
    run.isPassing = isPassing
    run.events.push(event)
  }

  #send(run: Run): void {
    const { audience, events, isPassing } = run
    if (events.length === 0) return
    run.events = []
    const frame = Frame.concat(events.map(dispatchFrame))
    for (const connections of audience) {
      for (const connection of connections) connection.hear(frame, isPassing, events)
      this.#deps.metrics.deliveries.inc(events.length * connections.size)
    }
  }

  /** The user's connections must hear the space before anything else happens in it. */
  #enterSpace(event: Event): void {
    const connections = this.#deps.listeners.ofUser(event.topic.tenantId)
    if (connections.size === 0) return
    const told: SpaceState = JSON.parse(event.data)
    for (const connection of connections) {
      connection.membershipChanges += 1
      connection.entering.add(told.id)
    }
    const missed = this.#missedBehind(event, told.rooms)
    void this.#behindGate(told.id, connections, () => applyEntrance(this.#deps, told, missed))
  }

  /** What was told behind that which the event tells of the channels, before its hearers were listeners. */
  #missedBehind({ id = '' }: Event, told: readonly { id: string; last_seq: number }[]): MissedMessages {
    const gaps = told.map((channel) => ({
      channelId: channel.id,
      after: channel.last_seq,
      upTo: this.#order.lastOf(channel.id) ?? 0,
    }))
    return {
      gaps: gaps.filter(({ after, upTo }) => upTo > after),
      since: firstIdAt(idTime(id) - MAX_DELIVERY_MS),
    }
  }

  /** Other roles are heard by another audience. */
  #changeMember({ topic, data }: Event): void {
    const member: RankedMember = JSON.parse(data)
    const spaceId = topic.tenantId
    const space = this.#deps.listeners.findSpace(spaceId)
    const connections = this.#deps.listeners.ofUser(member.user_id)
    for (const connection of connections) connection.membershipChanges += 1
    const isOutdated = [...connections].some((connection) => space?.isOutdated(connection, member))
    if (isOutdated)
      void this.#behindGate(spaceId, connections, () => applyMemberChange(this.#deps, spaceId, member))
  }

  #changeAccess({ topic }: Event): void {
    const space = this.#deps.listeners.findSpace(topic.tenantId)
    if (space === undefined) return
    void this.#behindGate(topic.tenantId, space.all, () => applyAccessChange(this.#deps, topic.tenantId))
  }

  #leaveSpace(event: Event): void {
    const { listeners } = this.#deps
    for (const connection of listeners.ofUser(memberOf(event))) {
      connection.membershipChanges += 1
      connection.entering.delete(event.topic.tenantId)
      listeners.removeFromSpace(connection, event.topic.tenantId)
    }
  }

  #endSpace({ topic }: Event): void {
    // To a user it tells the end of a membership.
    if (topic.kind === 'space') this.#deps.listeners.removeSpace(topic.tenantId)
  }

  #forgetRoom({ topic }: Event): void {
    this.#deps.listeners.findSpace(topic.tenantId)?.forgetRoom(topic.channelId)
  }

  /** Who is joining need not look again. What was said behind that which the event tells may be out already. */
  #enterConversation(event: Event): void {
    const { listeners } = this.#deps
    const connections = listeners.ofUser(event.topic.tenantId)
    if (connections.size === 0) return
    const told: Conversation = JSON.parse(event.data)
    for (const connection of connections) listeners.addToConversation(connection, told.id)
    const missed = this.#missedBehind(event, [told])
    void this.#behindGate(told.id, connections, () =>
      tellMissedMessages(this.#deps, connections, told.id, missed),
    )
  }

  #leaveConversation(event: Event): void {
    const { listeners } = this.#deps
    const id = conversationOf(event)
    for (const connection of listeners.ofUser(event.topic.tenantId)) {
      connection.membershipChanges += 1
      listeners.removeFromConversation(connection, id)
    }
  }

  #endSession({ topic }: Event): void {
    for (const connection of this.#deps.listeners.ofSession(topic.channelId))
      connection.close(CloseCode.SessionEnded, 'the session ended')
  }

  /** Has the space's events wait while the work changes what one connection hears of it. */
  async changeListeners(spaceId: string, connection: Connection, work: () => Promise<void>): Promise<void> {
    await this.#deps.gates.allOpen([spaceId])
    if (connection.state.name === 'ready') await this.#behindGate(spaceId, new Set([connection]), work)
  }

  /** Has the space's events wait until the work is done. */
  #behindGate(spaceId: string, concerned: ReadonlySet<Connection>, work: () => Promise<void>): Promise<void> {
    const { gates } = this.#deps
    gates.close(spaceId)
    return work()
      .catch((error) => this.#abandon(spaceId, concerned, error))
      .finally(() => this.#routeAll(gates.open(spaceId)))
  }

  /** Without knowing what they may hear, they are told nothing: they resume and get it from the journal. */
  #abandon(spaceId: string, connections: ReadonlySet<Connection>, error: unknown): void {
    this.#deps.log.error({ err: error }, 'the listeners of a space could not be worked out')
    for (const connection of [...connections]) {
      this.#deps.listeners.removeFromSpace(connection, spaceId)
      connection.close(CloseCode.Unknown, 'internal error')
    }
  }
}

function openRun(): Run {
  return { audience: nobody, events: [], isPassing: false }
}

/**
 * The space, or the conversation, that an event belongs behind: that a user came or left takes its turn among the events of
 * that space or conversation.
 */
function gateOf({ name, topic, data }: Event): string {
  if (topic.kind !== 'user' || !ENTRANCES.test(name)) return topic.tenantId
  const told: { id: string; space_id?: string; conversation_id?: string } = JSON.parse(data)
  return told.space_id ?? told.conversation_id ?? told.id
}

const ENTRANCES = /^(SPACE|CONVERSATION)_(CREATE|DELETE)$/

function isNotice({ name }: Event): boolean {
  return name === 'TYPING_START' || name === 'RECORDING_START'
}
