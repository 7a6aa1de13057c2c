import { Freshness } from '../cluster/freshness.ts'
import { followId } from '../ids.ts'

export const topicKinds = [
  'user',
  'space',
  'room',
  'thread',
  'conversation',
  'session',
  'account',
  'access',
  'storage',
  'presence',
  'server',
  'everybody',
] as const

export type TopicKind = (typeof topicKinds)[number]

/**
 * The subject of an event, and the key of its subscribers. The tenant is the space, conversation or user. The
 * channel is the room; for events that concern the whole tenant it is the tenant again. For events of a thread, the
 * channel is the room that the thread belongs to: viewers of the room receive them if they subscribed to threads. Only
 * the server receives the kinds `session`, `account`, `access` (a space's audiences changed), `storage` (files or buckets
 * changed), `presence` and `server` (settings of the whole installation).
 */
export interface Topic<Kind extends TopicKind = TopicKind> {
  readonly kind: Kind
  readonly tenantId: string
  readonly channelId: string
}

/** An event that was committed, or a transient one. */
export interface Event {
  /** Position in the journal; undefined for transient events, which are not journaled. */
  readonly id: string | undefined
  readonly topic: Topic
  /** The permission that a subscriber of a space's topic needs, as in `EventDelivery`. */
  readonly audience: number
  readonly name: string
  /** The event's data, encoded once. */
  readonly data: string
}

/** A component of the server that receives events. */
export interface Subscriber {
  receive(events: readonly Event[]): void
}

/** Subscribers by kind. Each list is in the order in which its subscribers receive an event. */
export interface Subscribers {
  /** Receive all events of the installation: this process's own events immediately, and some events twice. */
  readonly caches: readonly Subscriber[]
  /** Receive the events committed by this process, so that the work is done once in the installation. */
  readonly workers: readonly Subscriber[]
  /** Receive all events of the installation, none of them before an event that was acknowledged earlier. */
  readonly deliverers: readonly Subscriber[]
}

/** Sends this process's events to the other processes. */
export interface Relay {
  /**
   * True if events of other processes are received as they happen. If not, the relay itself delivers this process's
   * events, in order with those of other processes.
   */
  readonly isLive: boolean
  /** Resolves when it is certain that every process receives these events before all later ones, from any process. */
  send(events: readonly Event[]): Promise<void>
}

/**
 * Carries events from the transaction that committed them to all subscribers. Caches come first, so that no other
 * subscriber reads a stale answer after receiving an event. Events of other processes enter through `receive`.
 */
export class Bus {
  /** True if this process has received every event. */
  readonly freshness = new Freshness()
  readonly #caches: Subscriber[] = []
  readonly #workers: Subscriber[] = []
  readonly #deliverers: Subscriber[] = []
  readonly #onError: (error: unknown) => void
  #relay: Relay | undefined

  /**
   * @param onError receives errors of subscribers. The change is committed by then, and the other subscribers still run
   */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  /** Adds subscribers after those of earlier calls. */
  subscribe({ caches = [], workers = [], deliverers = [] }: Partial<Subscribers>): void {
    this.#caches.push(...caches)
    this.#workers.push(...workers)
    this.#deliverers.push(...deliverers)
  }

  /** Starts sending this process's events to other processes. */
  connect(relay: Relay): void {
    this.#relay = relay
  }

  /**
   * Publishes events of this process. Resolves when it is certain that other processes receive them before later events.
   */
  async emit(events: readonly Event[]): Promise<void> {
    const isInTurn = this.#relay?.isLive ?? true
    this.#notify(this.#caches, events)
    this.#notify(this.#workers, events)
    if (isInTurn) this.#notify(this.#deliverers, events)
    await this.#relay?.send(events)
  }

  /** Receives events of other processes, and events that this process committed while it was cut off from them. */
  receive(events: readonly Event[]): void {
    for (const { id } of events) if (id !== undefined) followId(id)
    this.#notify(this.#caches, events)
    this.#notify(this.#deliverers, events)
  }

  #notify(subscribers: readonly Subscriber[], events: readonly Event[]): void {
    for (const subscriber of subscribers) this.#attempt(() => subscriber.receive(events))
  }

  #attempt(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#onError(error)
    }
  }
}

const NIL_ID = '00000000-0000-0000-0000-000000000000'

export const topicOf = {
  user: (id: string): Topic<'user'> => ({ kind: 'user', tenantId: id, channelId: id }),
  space: (id: string): Topic<'space'> => ({ kind: 'space', tenantId: id, channelId: id }),
  access: (spaceId: string): Topic<'access'> => ({ kind: 'access', tenantId: spaceId, channelId: spaceId }),
  storage: (tenantId: string): Topic<'storage'> => ({ kind: 'storage', tenantId, channelId: tenantId }),
  room: (spaceId: string, id: string): Topic<'room'> => ({ kind: 'room', tenantId: spaceId, channelId: id }),
  /** @param parentId the room that the thread belongs to */
  thread: (spaceId: string, parentId: string): Topic<'thread'> => ({
    kind: 'thread',
    tenantId: spaceId,
    channelId: parentId,
  }),
  conversation: (id: string): Topic<'conversation'> => ({
    kind: 'conversation',
    tenantId: id,
    channelId: id,
  }),
  presence: (userId: string): Topic<'presence'> => ({
    kind: 'presence',
    tenantId: userId,
    channelId: userId,
  }),
  /** There is one server, with a reserved id. */
  server: (): Topic<'server'> => ({ kind: 'server', tenantId: NIL_ID, channelId: NIL_ID }),
  /** All people. */
  everybody: (): Topic<'everybody'> => ({ kind: 'everybody', tenantId: NIL_ID, channelId: NIL_ID }),
  session: (id: string): Topic<'session'> => ({ kind: 'session', tenantId: id, channelId: id }),
  account: (userId: string): Topic<'account'> => ({ kind: 'account', tenantId: userId, channelId: userId }),
}
