import { type Event, topicOf } from '#src/kernel/journal/bus.ts'
import { lacksSecondFactor } from '#src/kernel/secrets/second-factor-rule.ts'
import type { RankedMember, SpaceSnapshot } from '#src/spaces/snapshots.ts'
import type { Connection } from '../connections/connection.ts'
import { seenBy } from '../connections/seen-by.ts'
import { nobody, type Recipients, SpaceListeners } from './space-listeners.ts'

/** The topic of an event, and the permissions it needs. */
type Address = Pick<Event, 'topic' | 'audience'>

/** Connections that may no longer view some rooms of a space. */
export interface Loss {
  readonly spaceId: string
  readonly connections: ReadonlySet<Connection>
  readonly roomIds: readonly string[]
}

/** The connections that receive each topic. */
export class Listeners {
  readonly #users = new Map<string, Set<Connection>>()
  readonly #sessions = new Map<string, Set<Connection>>()
  /** All connections of people, not of bots. */
  readonly #people = new Set<Connection>()
  readonly #spaces = new Map<string, SpaceListeners>()
  /** Connections by conversation. Events of a closed conversation are not received until it is listed again. */
  readonly #conversations = new Map<string, Set<Connection>>()
  readonly #quiet = new Map<string, Set<Connection>>()
  #latest: Recipients = nobody
  #onLoss: (loss: Loss) => void = () => undefined

  /**
   * Returns the connections that receive the event. Consecutive events with the same recipients get the same set object, so
   * that they are sent together.
   */
  recipientsOf({ topic, audience }: Address): Recipients {
    if (topic.kind === 'user') return this.#only(this.#users.get(topic.tenantId))
    if (topic.kind === 'conversation') return this.#only(this.#conversations.get(topic.tenantId))
    if (topic.kind === 'everybody') return this.#only(this.#people)
    const space = this.#spaces.get(topic.tenantId)
    if (space === undefined) return nobody
    if (topic.kind === 'room' || topic.kind === 'thread') return space.ofRoom(topic.channelId)
    if (topic.kind !== 'space') return nobody
    return audience === 0 ? space.everyone : space.permitted(audience)
  }

  /** Turns typing indicators of the space off or on for a connection. */
  setQuiet(connection: Connection, spaceId: string, isQuiet: boolean): void {
    if (isQuiet) addTo(this.#quiet, spaceId, connection)
    else removeFrom(this.#quiet, spaceId, connection)
  }

  /** Removes the connections that have turned typing indicators of the space off. */
  withoutQuiet(spaceId: string, recipients: Recipients): Recipients {
    const quiet = this.#quiet.get(spaceId)
    return quiet === undefined ? recipients : new Set([...recipients].map((set) => set.difference(quiet)))
  }

  /** True if the connection may receive the event. User events are only for the user's own connections. */
  mayReceive(connection: Connection, address: Address): boolean {
    const { kind, tenantId } = address.topic
    if (kind === 'thread' && !connection.hasThreads) return false
    if (kind === 'user') return tenantId === connection.caller?.user.id
    if (kind === 'conversation') return connection.conversations.has(tenantId)
    if (kind === 'everybody') return this.#people.has(connection)
    return this.#spaces.get(tenantId)?.isIn(this.recipientsOf(address), connection) ?? false
  }

  /** @param roomId null for the space itself, for which the result is always true */
  mayReceiveRoom(connection: Connection, spaceId: string, roomId: string | null): boolean {
    return (
      roomId === null || this.mayReceive(connection, { topic: topicOf.room(spaceId, roomId), audience: 0 })
    )
  }

  /** Registers a callback for lost rooms. It runs before the connections are notified. */
  onLoss(listener: (loss: Loss) => void): void {
    this.#onLoss = listener
  }

  reportLoss(loss: Loss): void {
    this.#onLoss(loss)
  }

  ofUser(userId: string): ReadonlySet<Connection> {
    return this.#users.get(userId) ?? none
  }

  ofSession(sessionId: string): ReadonlySet<Connection> {
    return this.#sessions.get(sessionId) ?? none
  }

  /** Returns the connections of people whose session had no second factor when it was opened. */
  withoutSecondFactor(): Connection[] {
    const all = [...this.#sessions.values()].flatMap((connections) => [...connections])
    return all.filter(({ caller }) => caller !== undefined && lacksSecondFactor(caller))
  }

  /** Returns the listeners of a space; undefined if no connection of this process receives it. */
  findSpace(spaceId: string): SpaceListeners | undefined {
    return this.#spaces.get(spaceId)
  }

  addUser(connection: Connection, userId: string, sessionId: string): void {
    addTo(this.#users, userId, connection)
    addTo(this.#sessions, sessionId, connection)
    if (connection.caller?.kind === 'human') this.#people.add(connection)
  }

  removeUser(connection: Connection, userId: string, sessionId: string): void {
    removeFrom(this.#users, userId, connection)
    removeFrom(this.#sessions, sessionId, connection)
    this.#people.delete(connection)
    for (const spaceId of [...connection.spaces]) this.removeFromSpace(connection, spaceId)
    for (const id of [...connection.conversations]) this.removeFromConversation(connection, id)
  }

  addToConversation(connection: Connection, conversationId: string): void {
    addTo(this.#conversations, conversationId, connection)
    connection.conversations.add(conversationId)
  }

  removeFromConversation(connection: Connection, conversationId: string): void {
    removeFrom(this.#conversations, conversationId, connection)
    connection.conversations.delete(conversationId)
  }

  /** @param snapshot the current snapshot, used for the first listener of the space; later listeners share the snapshot in use */
  addToSpace(connection: Connection, snapshot: SpaceSnapshot, member: RankedMember): void {
    const { id } = snapshot.space
    const space = this.#spaces.get(id) ?? new SpaceListeners<Connection>(snapshot, seenBy)
    this.#spaces.set(id, space)
    connection.spaces.add(id)
    space.add(connection, member)
  }

  removeFromSpace(connection: Connection, spaceId: string): void {
    const space = this.#spaces.get(spaceId)
    connection.spaces.delete(spaceId)
    removeFrom(this.#quiet, spaceId, connection)
    space?.remove(connection)
    if (space?.all.size === 0) this.#spaces.delete(spaceId)
  }

  /** Removes a deleted space. */
  removeSpace(spaceId: string): void {
    for (const connection of this.#spaces.get(spaceId)?.all ?? []) connection.spaces.delete(spaceId)
    this.#spaces.delete(spaceId)
    this.#quiet.delete(spaceId)
  }

  #only(connections: ReadonlySet<Connection> | undefined): Recipients {
    if (connections === undefined) return nobody
    if (!this.#latest.has(connections)) this.#latest = new Set([connections])
    return this.#latest
  }
}

const none: ReadonlySet<Connection> = new Set()

function addTo(sets: Map<string, Set<Connection>>, key: string, connection: Connection): void {
  const set = sets.get(key) ?? new Set()
  sets.set(key, set.add(connection))
}

function removeFrom(sets: Map<string, Set<Connection>>, key: string, connection: Connection): void {
  const set = sets.get(key)
  set?.delete(connection)
  if (set?.size === 0) sets.delete(key)
}
