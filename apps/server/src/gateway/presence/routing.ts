import type { UserStatus } from '@foyer/protocol/presence'
import { type Event, topicOf } from '#src/kernel/journal/bus.ts'
import { decodeChange, type Presences } from '#src/people/presence/presences.ts'
import type { Listeners } from '../listeners/listeners.ts'
import type { Watchers } from './watchers.ts'

export interface PresenceRoutingDeps {
  listeners: Listeners
  presences: Presences
  watchers: Watchers
}

/** Decodes a status. Processes of the previous version send no `status_until`. */
function decodeStatus(data: string): UserStatus {
  return { status_until: null, ...JSON.parse(data) }
}

/** Passes presence changes to their watchers, and keeps the watchers up to date. */
export class PresenceRouting {
  readonly #deps: PresenceRoutingDeps
  readonly #routes: Readonly<Record<string, (event: Event) => void>> = {
    PRESENCE_CHANGE: ({ data }) => this.#change(data),
    STATUS_UPDATE: ({ topic, data }) => this.#choose(topic.tenantId, data),
    FRIEND_CREATE: ({ topic }) => this.#deps.watchers.refresh(topic.tenantId),
    FRIEND_DELETE: ({ topic }) => this.#deps.watchers.refresh(topic.tenantId),
    CONVERSATION_CREATE: ({ topic }) => this.#deps.watchers.refresh(topic.tenantId),
    CONVERSATION_DELETE: ({ topic }) => this.#deps.watchers.refresh(topic.tenantId),
    CONVERSATION_MEMBER_ADD: ({ topic }) => this.#refreshConversation(topic.tenantId),
    CONVERSATION_MEMBER_REMOVE: ({ topic }) => this.#refreshConversation(topic.tenantId),
    BLOCK_CREATE: ({ topic, data }) => this.#block(topic.tenantId, data),
    BLOCK_DELETE: ({ topic, data }) => this.#unblock(topic.tenantId, data),
  }

  constructor(deps: PresenceRoutingDeps) {
    this.#deps = deps
  }

  receive(events: readonly Event[]): void {
    for (const event of events) this.#routes[event.name]?.(event)
  }

  #change(data: string): void {
    const change = decodeChange(data)
    this.#deps.presences.note(change)
    this.#deps.watchers.receive(change)
  }

  #choose(userId: string, data: string): void {
    this.#deps.presences.noteChosen(userId, decodeStatus(data))
  }

  #refreshConversation(conversationId: string): void {
    const { listeners, watchers } = this.#deps
    const topic = topicOf.conversation(conversationId)
    const connections = [...listeners.recipientsOf({ topic, audience: 0 })].flatMap((set) => [...set])
    for (const connection of connections) if (connection.caller) watchers.refresh(connection.caller.user.id)
  }

  #block(userId: string, data: string): void {
    const { user }: { user: { id: string } } = JSON.parse(data)
    this.#deps.watchers.separate(userId, user.id)
    this.#deps.watchers.refresh(userId)
    this.#deps.watchers.refresh(user.id)
  }

  #unblock(userId: string, data: string): void {
    const { user_id }: { user_id: string } = JSON.parse(data)
    this.#deps.watchers.refresh(userId)
    this.#deps.watchers.refresh(user_id)
  }
}
