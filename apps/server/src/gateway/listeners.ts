import { type Event, topicOf } from '#src/kernel/bus.ts'
import type { RankedMember, SpaceSnapshot } from '#src/spaces/snapshots.ts'
import type { Connection } from './connection.ts'
import { type Audience, nobody, SpaceListeners } from './space-listeners.ts'

/** Whom an event is for. */
type Address = Pick<Event, 'topic' | 'audience'>

/** Connections that view some rooms of a space no more. */
export interface Loss {
  readonly spaceId: string
  readonly connections: ReadonlySet<Connection>
  readonly roomIds: readonly string[]
}

/** Which connections hear what. */
export class Listeners {
  readonly #users = new Map<string, Set<Connection>>()
  readonly #sessions = new Map<string, Set<Connection>>()
  readonly #spaces = new Map<string, SpaceListeners>()
  /** Those that are listed for the user: what was closed is heard no more until it is listed again. */
  readonly #conversations = new Map<string, Set<Connection>>()
  readonly #quiet = new Map<string, Set<Connection>>()
  #latest: Audience = nobody
  #onLoss: (loss: Loss) => void = () => undefined

  /** The same for neighbouring events of the same listeners: those go out together. */
  audienceOf({ topic, audience }: Address): Audience {
    if (topic.kind === 'user') return this.#only(this.#users.get(topic.tenantId))
    if (topic.kind === 'conversation') return this.#only(this.#conversations.get(topic.tenantId))
    const space = this.#spaces.get(topic.tenantId)
    if (space === undefined) return nobody
    if (topic.kind === 'room') return space.ofRoom(topic.channelId)
    if (topic.kind !== 'space') return nobody
    return audience === 0 ? space.everybody : space.permitted(audience)
  }

  /** Whether the connection wants to hear who types in the space. */
  setQuiet(connection: Connection, spaceId: string, isQuiet: boolean): void {
    if (isQuiet) addTo(this.#quiet, spaceId, connection)
    else removeFrom(this.#quiet, spaceId, connection)
  }

  /** The audience of who types: without those who do not want to hear of it. */
  withoutQuiet(spaceId: string, audience: Audience): Audience {
    const quiet = this.#quiet.get(spaceId)
    return quiet === undefined ? audience : new Set([...audience].map((set) => set.difference(quiet)))
  }

  /** Whether the connection may hear the event; those of users only its own user's. */
  hears(connection: Connection, address: Address): boolean {
    const { kind, tenantId } = address.topic
    if (kind === 'user') return tenantId === connection.caller?.user.id
    if (kind === 'conversation') return connection.conversations.has(tenantId)
    return this.#spaces.get(tenantId)?.isIn(this.audienceOf(address), connection) ?? false
  }

  /** @param roomId null for the space, whose rooms do not matter then */
  hearsRoom(connection: Connection, spaceId: string, roomId: string | null): boolean {
    return roomId === null || this.hears(connection, { topic: topicOf.room(spaceId, roomId), audience: 0 })
  }

  /** Has it heard who loses rooms, each time before they are told. */
  onLoss(hear: (loss: Loss) => void): void {
    this.#onLoss = hear
  }

  lose(loss: Loss): void {
    this.#onLoss(loss)
  }

  ofUser(userId: string): ReadonlySet<Connection> {
    return this.#users.get(userId) ?? none
  }

  ofSession(sessionId: string): ReadonlySet<Connection> {
    return this.#sessions.get(sessionId) ?? none
  }

  /** Undefined when nobody on this process hears the space. */
  findSpace(spaceId: string): SpaceListeners | undefined {
    return this.#spaces.get(spaceId)
  }

  addUser(connection: Connection, userId: string, sessionId: string): void {
    addTo(this.#users, userId, connection)
    addTo(this.#sessions, sessionId, connection)
  }

  removeUser(connection: Connection, userId: string, sessionId: string): void {
    removeFrom(this.#users, userId, connection)
    removeFrom(this.#sessions, sessionId, connection)
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

  /** @param snapshot the space as it is now, for its first listener: later ones are treated as those who are there */
  addToSpace(connection: Connection, snapshot: SpaceSnapshot, member: RankedMember): void {
    const { id } = snapshot.space
    const space = this.#spaces.get(id) ?? new SpaceListeners(snapshot)
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

  /** The space is gone. */
  removeSpace(spaceId: string): void {
    for (const connection of this.#spaces.get(spaceId)?.all ?? []) connection.spaces.delete(spaceId)
    this.#spaces.delete(spaceId)
    this.#quiet.delete(spaceId)
  }

  #only(connections: ReadonlySet<Connection> | undefined): Audience {
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
