import { ConversationType } from '@foyer/protocol/conversations'
import type { Bus, Event } from '#src/kernel/bus.ts'
import { Cache } from '#src/kernel/cache.ts'
import type { Database } from '#src/kernel/database.ts'
import { type ConversationRow, findConversationRow, isBlocked, isDeleted } from './queries.ts'

const CACHED_CONVERSATIONS = 100_000
const CACHED_PAIRS = 100_000
const CACHED_USERS = 100_000

/**
 * Who is in a conversation, and whether the two of a direct one may talk, cached in the process. An event drops what it
 * changed before whoever made the change has an answer: no answer is older than the last acknowledged change.
 */
export class ConversationFacts {
  readonly #conversations: Cache<ConversationRow | undefined>
  /** By the two of a direct conversation: whether one of them blocks the other. */
  readonly #blocks: Cache<boolean>
  /** By user: whether their account is deleted. */
  readonly #deletions: Cache<boolean>
  /** What an event changes of that which is cached. */
  readonly #changes: Readonly<Record<string, (event: Event) => void>> = {
    // Of who comes or goes, and of who closed it or has it listed again.
    CONVERSATION_CREATE: (event) => this.#conversations.drop(conversationOf(event)),
    CONVERSATION_DELETE: (event) => this.#conversations.drop(conversationOf(event)),
    CONVERSATION_UPDATE: ({ topic }) => this.#conversations.drop(topic.tenantId),
    BLOCK_CREATE: ({ topic, data }) =>
      this.#blocks.drop(pairKey(topic.tenantId, read<{ user: { id: string } }>(data).user.id)),
    BLOCK_DELETE: ({ topic, data }) =>
      this.#blocks.drop(pairKey(topic.tenantId, read<{ user_id: string }>(data).user_id)),
    // To the user themselves, whose account may have ended. What others are told of it drops nothing that is wrong.
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
    bus.listen((events) => {
      for (const event of events) this.#changes[event.name]?.(event)
    })
  }

  find(conversationId: string): Promise<ConversationRow | undefined> {
    return this.#conversations.get(conversationId)
  }

  /** Whether neither a block nor the end of an account has silenced it. */
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

/** The conversation that CONVERSATION_CREATE or CONVERSATION_DELETE is about. */
export function conversationOf({ data }: Pick<Event, 'data'>): string {
  const told = read<{ id: string; conversation_id?: string }>(data)
  return told.conversation_id ?? told.id
}

/** An event's data, which was encoded by the schema of its name. */
function read<Data>(data: string): Data {
  return JSON.parse(data)
}

/** The same for both orders of the two. */
function pairKey(userId: string, otherId: string): string {
  return [userId, otherId].sort().join(' ')
}
