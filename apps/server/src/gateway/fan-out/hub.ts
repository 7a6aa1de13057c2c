import type { Conversation } from '@foyer/protocol/conversations'
import { CloseCode } from '@foyer/protocol/gateway'
import type { SpaceState } from '@foyer/protocol/spaces'
import type { Logger } from 'pino'
import { placeOfEvent } from '#src/channels/place.ts'
import { conversationOf } from '#src/conversations/facts.ts'
import { MAX_DELIVERY_MS } from '#src/kernel/database/database.ts'
import { SETTINGS_CHANGE } from '#src/kernel/database/server-settings.ts'
import { firstIdAt, idTime } from '#src/kernel/ids.ts'
import type { Event } from '#src/kernel/journal/bus.ts'
import type { SecondFactorRules } from '#src/kernel/secrets/second-factor-rule.ts'
import { memberOf, type RankedMember } from '#src/spaces/snapshots.ts'
import { VOICE_SIGNAL } from '#src/voice/signals/signals.ts'
import {
  type AccessChangeDeps,
  applyAccessChange,
  applyJoin,
  applyMemberChange,
} from '../access/access-changes.ts'
import { dispatchBackfill, findMissingMessages, type MessageBackfill } from '../access/message-backfill.ts'
import { seqOf } from '../access/message-seq.ts'
import type { Connection } from '../connections/connection.ts'
import { dispatchFrame, Frame } from '../connections/frames.ts'
import { askersOf } from '../connections/thread-events.ts'
import { ChannelOrder } from './channel-order.ts'
import { askAgain, closeAll } from './closing.ts'
import type { EventHolds } from './event-holds.ts'
import { among, openRun, type Run } from './run.ts'
import { StaleEventFilter } from './stale-event-filter.ts'

export interface HubDeps extends AccessChangeDeps {
  eventHolds: EventHolds
  secondFactorRules: Pick<SecondFactorRules, 'current'>
  log: Logger
  /** Undefined if this process runs alone. */
  cluster: object | undefined
}

/**
 * Dispatches events to the connections that may receive them, each encoded once. When an event changes the
 * recipients in a space, the space's later events are held until these are recomputed.
 */
export class Hub {
  readonly #deps: HubDeps
  readonly #order: ChannelOrder
  readonly #staleEvents = new StaleEventFilter()
  /** Changes of recipients that follow an event, applied after it is delivered. */
  readonly #consequences: Readonly<Record<string, (event: Event) => void>> = {
    SPACE_CREATE: (event) => this.#enterSpace(event),
    SPACE_DELETE: (event) => this.#endSpace(event),
    SPACE_MEMBER_UPDATE: (event) => this.#changeMember(event),
    SPACE_MEMBER_DELETE: (event) => this.#leaveSpace(event),
    SPACE_ACCESS_CHANGE: (event) => this.#changeAccess(event),
    // Without this, the listeners would not know the new role, and its members would not have its permissions.
    SPACE_ROLE_CREATE: (event) => this.#changeAccess(event),
    ROOM_DELETE: (event) => this.#forgetRoom(event),
    CONVERSATION_CREATE: (event) => this.#enterConversation(event),
    CONVERSATION_DELETE: (event) => this.#leaveConversation(event),
    SESSION_END: ({ topic }) =>
      closeAll(this.#deps.listeners.ofSession(topic.channelId), CloseCode.SessionEnded, 'the session ended'),
    SESSION_CHANGE: ({ topic }) => askAgain(this.#deps.listeners.ofSession(topic.channelId)),
    [SETTINGS_CHANGE]: () => void this.#applySecondFactorRule(),
  }

  constructor(deps: HubDeps) {
    this.#deps = deps
    this.#order = new ChannelOrder({
      ...deps,
      isAlone: deps.cluster === undefined,
      findMissing: (after, event) => this.#findMissing(after, event),
      deliver: (events) =>
        this.#routeAll(events.filter((event) => !this.#staleEvents.isOfEndedThread(event))),
    })
  }

  /**
   * Handles events one by one. An event between two messages of a channel may subscribe a user to that channel, and the
   * user's backfill then needs the channel's position at that event.
   */
  receive(events: readonly Event[]): void {
    const run = openRun()
    for (const event of events) for (const due of this.#admit(event)) this.#route(due, run)
    this.#send(run)
  }

  /** Returns the events that are due now, in order. */
  #admit(event: Event): readonly Event[] {
    if (this.#staleEvents.isStale(event) || this.#staleEvents.isOfEndedThread(event)) return []
    const { kind } = event.topic
    // A move between voice rooms is two events in two channels. Neither waits for messages, so that they stay in order.
    const isUnordered = event.name === 'VOICE_STATE_UPDATE' || !ORDERED.has(kind)
    if (isUnordered) return [event]
    return this.#order.admit(event, this.#deps.listeners.recipientsOf(event).size > 0)
  }

  #findMissing(after: number, event: Event): Promise<Event[]> {
    const { tenantId, channelId, parentId } = placeOfEvent(event)
    return findMissingMessages(this.#deps.database, tenantId, {
      gaps: [{ channelId, parentId, after, upTo: seqOf(event) ?? 0 }],
      // The look-up begins this early because an event that commits now may have a much older id. Connections that
      // subscribed after that id receive some messages twice.
      since: firstIdAt(idTime(event.id ?? '') - MAX_DELIVERY_MS),
    })
  }

  #routeAll(events: readonly Event[]): void {
    const run = openRun()
    for (const event of events) this.#route(event, run)
    this.#send(run)
  }

  #route(event: Event, run: Run): void {
    const isHeld = this.#deps.eventHolds.queue(holdOf(event), event)
    if (!isHeld) this.#deliver(event, run)
    // Leaving takes effect at once, before held events. The snapshot may be newer than the held events, and may no longer
    // have the overwrites that hid rooms from the user who left.
    const isDue = !isHeld || event.name === 'SPACE_MEMBER_DELETE'
    const consequence = isDue ? this.#consequences[event.name] : undefined
    if (consequence === undefined) return
    // Earlier events go to the recipients from before the change.
    this.#send(run)
    consequence(event)
  }

  #deliver(event: Event, run: Run): void {
    const { listeners } = this.#deps
    if (event.name === 'ROOM_CREATE')
      listeners.findSpace(event.topic.tenantId)?.addRoom(event.topic.channelId)
    const subscribed = listeners.recipientsOf(event)
    const recipients = isTypingIndicator(event)
      ? listeners.withoutQuiet(event.topic.tenantId, subscribed)
      : subscribed
    if (recipients.size === 0) return
    // Voice signals are never dropped: a slow client would no longer know which user a stream belongs to.
    const isTransient = event.id === undefined && event.name !== VOICE_SIGNAL
    const askers = askersOf(event)
    const isSame = run.isTransient === isTransient && run.askers === askers
    if (run.recipients !== recipients || !isSame) this.#send(run)
    run.recipients = recipients
    run.isTransient = isTransient
    run.askers = askers
    run.events.push(event)
  }

  #send(run: Run): void {
    const { events, isTransient } = run
    if (events.length === 0) return
    run.events = []
    const receivers = [...among(run)]
    if (receivers.every(({ size }) => size === 0)) return
    const frame = Frame.concat(events.map(dispatchFrame))
    for (const connections of receivers) {
      for (const connection of connections) connection.dispatch(frame, isTransient, events)
      this.#deps.metrics.deliveries.inc(events.length * connections.size)
    }
  }

  /** Subscribes the user's connections to the space before anything else happens in it. */
  #enterSpace(event: Event): void {
    const connections = this.#deps.listeners.ofUser(event.topic.tenantId)
    if (connections.size === 0) return
    const state: SpaceState = JSON.parse(event.data)
    for (const connection of connections) {
      connection.membershipChanges += 1
      connection.entering.add(state.id)
    }
    const backfill = this.#backfillAfter(event, state.rooms)
    void this.#whileHolding(state.id, connections, () => applyJoin(this.#deps, state, backfill))
  }

  /**
   * Returns the gaps to backfill: messages after the state in the event that were delivered before its recipients
   * subscribed.
   */
  #backfillAfter({ id = '' }: Event, state: readonly { id: string; last_seq: number }[]): MessageBackfill {
    const gaps = state.map((channel) => ({
      channelId: channel.id,
      after: channel.last_seq,
      upTo: this.#order.lastOf(channel.id) ?? 0,
    }))
    return {
      gaps: gaps.filter(({ after, upTo }) => upTo > after),
      since: firstIdAt(idTime(id) - MAX_DELIVERY_MS),
    }
  }

  /** Recomputes which events a member receives, after a change of the member's roles. */
  #changeMember({ topic, data }: Event): void {
    const member: RankedMember = JSON.parse(data)
    const spaceId = topic.tenantId
    const space = this.#deps.listeners.findSpace(spaceId)
    const connections = this.#deps.listeners.ofUser(member.user_id)
    for (const connection of connections) connection.membershipChanges += 1
    const isOutdated = [...connections].some((connection) => space?.isOutdated(connection, member))
    if (isOutdated)
      void this.#whileHolding(spaceId, connections, () => applyMemberChange(this.#deps, spaceId, member))
  }

  #changeAccess({ topic }: Event): void {
    const space = this.#deps.listeners.findSpace(topic.tenantId)
    if (space === undefined) return
    void this.#whileHolding(topic.tenantId, space.all, () => applyAccessChange(this.#deps, topic.tenantId))
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
    // On a user's topic, this event means that only this user left.
    if (topic.kind === 'space') this.#deps.listeners.removeSpace(topic.tenantId)
  }

  #forgetRoom({ topic }: Event): void {
    this.#deps.listeners.findSpace(topic.tenantId)?.forgetRoom(topic.channelId)
  }

  /**
   * Subscribes the user's connections to the conversation. Messages sent after the state in the event may have been
   * delivered already, so they are backfilled. Connections that are joining need not read memberships again.
   */
  #enterConversation(event: Event): void {
    const { listeners } = this.#deps
    const connections = listeners.ofUser(event.topic.tenantId)
    if (connections.size === 0) return
    const state: Conversation = JSON.parse(event.data)
    for (const connection of connections) listeners.addToConversation(connection, state.id)
    const backfill = this.#backfillAfter(event, [state])
    void this.#whileHolding(state.id, connections, () =>
      dispatchBackfill(this.#deps, connections, state.id, backfill),
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

  async #applySecondFactorRule(): Promise<void> {
    const rule = await this.#deps.secondFactorRules.current()
    if (rule === 'everybody') askAgain(this.#deps.listeners.withoutSecondFactor())
  }

  /** Holds the space's events while `work` changes which of them one connection receives. */
  async changeListeners(spaceId: string, connection: Connection, work: () => Promise<void>): Promise<void> {
    await this.#deps.eventHolds.allEnded([spaceId])
    if (connection.state.name === 'ready') await this.#whileHolding(spaceId, new Set([connection]), work)
  }

  /** Holds the space's events until the work is done. */
  #whileHolding(
    spaceId: string,
    concerned: ReadonlySet<Connection>,
    work: () => Promise<void>,
  ): Promise<void> {
    const { eventHolds } = this.#deps
    eventHolds.begin(spaceId)
    return work()
      .catch((error) => this.#abandon(spaceId, concerned, error))
      .finally(() => this.#routeAll(eventHolds.end(spaceId)))
  }

  /** Closes the connections, because their permissions are unknown. They resume and read the journal. */
  #abandon(spaceId: string, connections: ReadonlySet<Connection>, error: unknown): void {
    this.#deps.log.error({ err: error }, 'the recipients in a space could not be recomputed')
    for (const connection of [...connections]) {
      this.#deps.listeners.removeFromSpace(connection, spaceId)
      connection.close(CloseCode.Unknown, 'internal error')
    }
  }
}

/** Kinds of topics whose messages have numbers. */
const ORDERED: ReadonlySet<string> = new Set(['room', 'thread', 'conversation'])

/**
 * Returns the space or conversation whose hold applies. Joining and leaving are events of the user's topic, but wait
 * together with the events of that space or conversation.
 */
function holdOf({ name, topic, data }: Event): string {
  if (topic.kind !== 'user' || !ENTRANCES.test(name)) return topic.tenantId
  const state: { id: string; space_id?: string; conversation_id?: string } = JSON.parse(data)
  return state.space_id ?? state.conversation_id ?? state.id
}

const ENTRANCES = /^(SPACE|CONVERSATION)_(CREATE|DELETE)$/

function isTypingIndicator({ name }: Event): boolean {
  return name === 'TYPING_START' || name === 'RECORDING_START'
}
