import { Freshness } from './cluster/freshness.ts'
import { followId } from './ids.ts'

export const topicKinds = [
  'user',
  'space',
  'room',
  'conversation',
  'session',
  'account',
  'access',
  'storage',
  'presence',
] as const

/**
 * Whom an event concerns. The tenant is the space, the conversation or the user; the channel is the room, or the tenant
 * again for what concerns all of it. A `session`, an `account`, an `access`, which tells that it changed who may hear
 * what in a space, a `storage`, whose files or buckets changed, and a `presence`, of a user, are heard by the server alone.
 */
export interface Topic {
  readonly kind: (typeof topicKinds)[number]
  readonly tenantId: string
  readonly channelId: string
}

/** Something that happened. */
export interface Event {
  /** Its place in the journal; undefined for events that pass without trace. */
  readonly id: string | undefined
  readonly topic: Topic
  /** Permission bits that a listener needs in the topic's space; 0 needs none. */
  readonly audience: number
  readonly name: string
  /** The event's data, encoded once. */
  readonly data: string
}

export type Listener = (events: readonly Event[]) => void

/** Carries what happened in this process to the other ones. */
export interface Relay {
  /** Whether all that happened elsewhere is heard as it happens. If not, the relay brings own events in their turn, too. */
  readonly isLive: boolean
  /** Resolves once all that happens after it, anywhere, is heard after it everywhere. */
  send(events: readonly Event[]): Promise<void>
}

/**
 * Carries events from the transaction that committed them to everything that listens: caches first, so that whoever hears
 * an event finds no stale answer behind it. What other processes committed comes in by `receive`.
 */
export class Bus {
  /** Whether what was heard is all that happened. */
  readonly freshness = new Freshness()
  readonly #caches: Listener[] = []
  readonly #workers: Listener[] = []
  readonly #deliverers: Listener[] = []
  readonly #onError: (error: unknown) => void
  #relay: Relay | undefined

  /** @param onError hears what a listener throws: the change is committed, and the other listeners still hear it */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  /** Hears all events of the installation, those of this process at once, and some of them twice. */
  listen(listener: Listener): void {
    this.#caches.push(listener)
  }

  /** Hears what this process committed: for work that is to be done once, and not once in every process. */
  listenLocally(listener: Listener): void {
    this.#workers.push(listener)
  }

  /** Hears all events of the installation in an order in which nothing overtakes what was acknowledged before it. */
  listenInOrder(listener: Listener): void {
    this.#deliverers.push(listener)
  }

  /** From here on other processes hear what happens in this one. */
  connect(relay: Relay): void {
    this.#relay = relay
  }

  /** What happened in this process. Resolves once other processes hear it before anything that happens from now on. */
  async emit(events: readonly Event[]): Promise<void> {
    const isInTurn = this.#relay?.isLive ?? true
    this.#tell(this.#caches, events)
    this.#tell(this.#workers, events)
    if (isInTurn) this.#tell(this.#deliverers, events)
    await this.#relay?.send(events)
  }

  /** What happened in another process, or in this one while it did not know what happened elsewhere. */
  receive(events: readonly Event[]): void {
    for (const { id } of events) if (id !== undefined) followId(id)
    this.#tell(this.#caches, events)
    this.#tell(this.#deliverers, events)
  }

  #tell(listeners: readonly Listener[], events: readonly Event[]): void {
    for (const hear of listeners) this.#attempt(() => hear(events))
  }

  #attempt(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#onError(error)
    }
  }
}

export const topicOf = {
  user: (id: string): Topic => ({ kind: 'user', tenantId: id, channelId: id }),
  space: (id: string): Topic => ({ kind: 'space', tenantId: id, channelId: id }),
  access: (spaceId: string): Topic => ({ kind: 'access', tenantId: spaceId, channelId: spaceId }),
  storage: (tenantId: string): Topic => ({ kind: 'storage', tenantId, channelId: tenantId }),
  room: (spaceId: string, id: string): Topic => ({ kind: 'room', tenantId: spaceId, channelId: id }),
  conversation: (id: string): Topic => ({ kind: 'conversation', tenantId: id, channelId: id }),
  presence: (userId: string): Topic => ({ kind: 'presence', tenantId: userId, channelId: userId }),
  session: (id: string): Topic => ({ kind: 'session', tenantId: id, channelId: id }),
  account: (userId: string): Topic => ({ kind: 'account', tenantId: userId, channelId: userId }),
}
