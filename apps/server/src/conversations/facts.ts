import { ConversationType } from '@foyer/protocol/conversations'
import { Cache } from '#src/kernel/cache.ts'
import type { Database } from '#src/kernel/database/database.ts'
import type { Bus, Event } from '#src/kernel/journal/bus.ts'
import { type ConversationRow, findConversationRow, isBlocked, isDeleted } from './queries.ts'

const CACHED_CONVERSATIONS = 100_000
const CACHED_PAIRS = 100_000
const CACHED_USERS = 100_000

/**
 * Caches members and blocks of conversations per process. An event drops the changed entries before the change is
 * acknowledged, so no result is older than the last acknowledged change.
 */
export class ConversationFacts {
  readonly #conversations: Cache<ConversationRow | undefined>
  /** Key: a pair of users. True if one of them blocks the other. */
  readonly #blocks: Cache<boolean>
  /** Key: a user. True if their account is deleted. */
  readonly #deletions: Cache<boolean>
  /** Cache entries to drop, by event name. */
  readonly #changes: Readonly<Record<string, (event: Event) => void>> = {
    // Published on joining, leaving, closing and reopening.
    CONVERSATION_CREATE: (event) => this.#conversations.drop(conversationOf(event)),
    CONVERSATION_DELETE: (event) => this.#conversations.drop(conversationOf(event)),
    CONVERSATION_UPDATE: ({ topic }) => this.#conversations.drop(topic.tenantId),
    BLOCK_CREATE: ({ topic, data }) =>
      this.#blocks.drop(pairKey(topic.tenantId, read<{ user: { id: string } }>(data).user.id)),
    BLOCK_DELETE: ({ topic, data }) =>
      this.#blocks.drop(pairKey(topic.tenantId, read<{ user_id: string }>(data).user_id)),
    // Published on the deleted user's own topic, too. A copy on another user's topic only drops an entry needlessly.
    USER_UPDATE: ({ topic }) => this.#deletions.drop(topic.tenantId),
  }

  constructor({ database, bus }: { database: Database; bus: Bus }) {
    this.#conversations = new Cache(CACHED_CONVERSATIONS, bus.freshness, (id) =>
      findConversationRow(database, id),
    )
    this.#deletions = new Cache(CACHED_USERS, bus.freshness, (userId) => isDeleted(database, userId))
    this.#blocks = new Cache(CACHED_PAIRS, bus.freshness, (key) => {
      const [userId = '', otherId = ''] = key.split(' ')
      return isBlocked(database, userId, otherId)
    })
  }

  receive(events: readonly Event[]): void {
    for (const event of events) this.#changes[event.name]?.(event)
  }

  find(conversationId: string): Promise<ConversationRow | undefined> {
    return this.#conversations.get(conversationId)
  }

  /** Returns true unless a block or a deleted account forbids talking. */
  async isOpenToTalk({ type, memberIds: [userId = '', otherId = ''] }: ConversationRow): Promise<boolean> {
    if (type !== ConversationType.Direct) return true
    const hindrances = await Promise.all([
      this.#blocks.get(pairKey(userId, otherId)),
      this.#deletions.get(userId),
      this.#deletions.get(otherId),
    ])
    return !hindrances.includes(true)
  }
}

/** Returns the id in CONVERSATION_CREATE or CONVERSATION_DELETE. */
export function conversationOf({ data }: Pick<Event, 'data'>): string {
  const payload = read<{ id: string; conversation_id?: string }>(data)
  return payload.conversation_id ?? payload.id
}

/** Parses an event's data, which its schema encoded. */
function read<Data>(data: string): Data {
  return JSON.parse(data)
}

/** Returns one key for both orders of the pair. */
function pairKey(userId: string, otherId: string): string {
  return [userId, otherId].sort().join(' ')
}
