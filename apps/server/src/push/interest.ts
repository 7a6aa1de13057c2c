import type { Message } from '@foyer/protocol/messages'
import { MessageFlag } from '@foyer/protocol/messages'
import { isConversation, type Place } from '#src/channels/place.ts'
import type { ConversationFacts } from '#src/conversations/facts.ts'
import { Cache } from '#src/kernel/cache.ts'
import type { Database } from '#src/kernel/database/database.ts'
import type { Bus, Event } from '#src/kernel/journal/bus.ts'
import { Batched } from '#src/kernel/sql/batched.ts'
import { isAuthored } from '#src/messages/rows.ts'
import { SETTING_CHANGE } from '#src/notifications/actions.ts'
import { listListeners } from '#src/notifications/queries.ts'
import type { Snapshots } from '#src/spaces/snapshots.ts'
import { hasSubscriptions, listSubscribed } from './subscription-queries.ts'

/** Internal event: a user's subscriptions changed. */
export const PUSH_CHANGE = 'PUSH_CHANGE'

const CACHED_USERS = 100_000
const CACHED_SPACES = 10_000
const USER_BATCHES = { maxKeys: 500, atOnce: 2, pauseMs: 5 }
/** Maximum cached settings per space with the level `all`. In a space that reaches it, each message enqueues a job. */
const MAX_LISTENERS = 200
const ANY = 'any'

/** Ids of users with the level `all`, by channel; undefined for a space that reaches MAX_LISTENERS. */
type ListenersOf = ReadonlyMap<string, readonly string[]> | undefined

export interface InterestDeps {
  database: Database
  bus: Bus
  snapshots: Snapshots
  conversationFacts: ConversationFacts
}

/** Decides from caches whether a message may concern a user with a subscription. A wrong answer is always yes, never no. */
export class PushInterest {
  readonly #deps: InterestDeps
  readonly #any: Cache<boolean>
  readonly #subscribed: Cache<boolean>
  /** Users with the level `all` in any channel of a space, by space id. */
  readonly #listeners: Cache<{ byChannel: ListenersOf }>

  constructor(deps: InterestDeps) {
    const { database, bus } = deps
    this.#deps = deps
    this.#any = new Cache(1, bus.freshness, () => hasSubscriptions(database))
    const users = new Batched<string, boolean>(USER_BATCHES, async (userIds) => {
      const found = new Set(await listSubscribed(database, userIds))
      return (userId) => found.has(userId)
    })
    this.#subscribed = new Cache(CACHED_USERS, bus.freshness, (userId) => users.ask(userId))
    this.#listeners = new Cache(CACHED_SPACES, bus.freshness, (spaceId) => loadListeners(database, spaceId))
  }

  receive(events: readonly Event[]): void {
    for (const event of events) this.#forget(event)
  }

  /** Returns true if any user has a subscription. */
  isAny(): Promise<boolean> {
    return this.#any.get(ANY)
  }

  async concerns(place: Place, message: Message): Promise<boolean> {
    if (!isAuthored(message) || (message.flags & MessageFlag.SuppressNotifications) !== 0) return false
    return isConversation(place)
      ? this.concernsConversation(place.channelId, message.author.id)
      : this.#concernsRoom(place, message)
  }

  /** Returns true if the author's action concerns any other member of the conversation. */
  async concernsConversation(id: string, authorId: string): Promise<boolean> {
    const row = await this.#deps.conversationFacts.find(id)
    return this.#isAnySubscribed(row?.memberIds ?? [], authorId)
  }

  async #concernsRoom({ tenantId, channelId, parentId }: Place, message: Message): Promise<boolean> {
    // The job looks up the followers of a thread, and the users mentioned by a role or with @everyone.
    if (parentId !== undefined || message.mention_everyone || message.mention_roles.length > 0) return true
    const [snapshot, { byChannel }] = await Promise.all([
      this.#deps.snapshots.find(tenantId),
      this.#listeners.get(tenantId),
    ])
    if (byChannel === undefined) return true
    const chain = [channelId, snapshot?.rooms.get(channelId)?.parent_id ?? '', tenantId]
    const listeners = chain.flatMap((id) => byChannel.get(id) ?? [])
    const mentioned = message.mentions.map(({ id }) => id)
    return this.#isAnySubscribed([...mentioned, ...listeners], message.author.id)
  }

  async #isAnySubscribed(userIds: readonly string[], authorId: string): Promise<boolean> {
    const others = userIds.filter((id) => id !== authorId)
    if (others.some((id) => this.#subscribed.peek(id))) return true
    const answers = await Promise.all(others.map((id) => this.#subscribed.get(id)))
    return answers.includes(true)
  }

  /** Drops cache entries that an event may change. The end of a session, an account event, also deletes its subscriptions. */
  #forget({ topic, name, data }: Event): void {
    if (topic.kind === 'account') this.#subscribed.drop(topic.tenantId)
    if (name === PUSH_CHANGE) this.#any.drop(ANY)
    if (name === 'SPACE_MEMBER_DELETE') this.#listeners.drop(topic.tenantId)
    if (name === SETTING_CHANGE) this.#listeners.drop(changedTenant(data))
  }
}

async function loadListeners(database: Database, spaceId: string): Promise<{ byChannel: ListenersOf }> {
  const rows = await listListeners(database, spaceId, MAX_LISTENERS)
  if (rows.length === MAX_LISTENERS) return { byChannel: undefined }
  const byChannel = Map.groupBy(rows, ({ channel_id }) => channel_id)
  return {
    byChannel: new Map([...byChannel].map(([id, found]) => [id, found.map(({ user_id }) => user_id)])),
  }
}

/** Returns the tenant of a SETTING_CHANGE. */
function changedTenant(data: string): string {
  const { tenant_id }: { tenant_id: string } = JSON.parse(data)
  return tenant_id
}
