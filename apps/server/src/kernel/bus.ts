/**
 * Whom an event concerns. The tenant is the space, the conversation or the user; the channel is the room, or the tenant
 * again for what concerns all of it. A `session`, an `account`, an `access`, which tells that it changed who may hear
 * what in a space, and a `storage`, whose files or buckets changed, are heard by the server alone.
 */
export interface Topic {
  readonly kind: 'user' | 'space' | 'room' | 'conversation' | 'session' | 'account' | 'access' | 'storage'
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

/**
 * Carries events from the transaction that committed them to everything that listens, in the order of `listen`:
 * caches first, so that whoever hears an event finds no stale answer behind it.
 */
export class Bus {
  readonly #listeners: Listener[] = []
  readonly #onError: (error: unknown) => void

  /** @param onError hears what a listener throws: the change is committed, and the other listeners still hear it */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  listen(listener: Listener): void {
    this.#listeners.push(listener)
  }

  emit(events: readonly Event[]): void {
    for (const listener of this.#listeners) this.#tell(listener, events)
  }

  #tell(listener: Listener, events: readonly Event[]): void {
    try {
      listener(events)
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
  session: (id: string): Topic => ({ kind: 'session', tenantId: id, channelId: id }),
  account: (userId: string): Topic => ({ kind: 'account', tenantId: userId, channelId: userId }),
}
