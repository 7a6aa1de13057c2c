import type { Member } from '@foyer/protocol/members'
import type { Logger } from 'pino'
import { Cache } from '#src/kernel/cache.ts'
import type { Database } from '#src/kernel/database/database.ts'
import type { Bus, Event } from '#src/kernel/journal/bus.ts'
import type { RateCounter, RateCounters } from '#src/kernel/limits/rate-limits.ts'
import { closeInRaid } from '#src/spaces/door/actions.ts'
import { findSensor, type Sensor } from '#src/spaces/door/sensor.ts'
import { lockSpace } from '#src/spaces/membership.ts'

interface Deps {
  database: Database
  bus: Bus
  log: Pick<Logger, 'warn'>
  /** Counters shared by all processes. */
  counters: RateCounters
}

/** Null for a space without a sensor: the cache cannot keep undefined values. */
type Watched = Pick<Sensor, 'owner_id' | 'least'> | null

const CACHED_SPACES = 100_000
const CHANGING: ReadonlySet<string> = new Set(['SPACE_DOOR_UPDATE', 'SPACE_UPDATE'])
const MINUTE_MS = 60_000
/** Time after joining for which a member counts as new. */
const NEW_MS = 60 * MINUTE_MS
/** Messages of new members per minute that count as a raid, as a multiple of the sensor's limit of joins. */
const MESSAGES_PER_JOIN = 3
/** Messages per new member and minute that are counted. Any more come from one spammer: a raid has many authors. */
const COUNTED_OF_AUTHOR = 10

/** Closes the door of a space when many new members write at the same time. */
export class MessageSensor {
  readonly #deps: Deps
  readonly #watched: Cache<Watched>
  /** Spaces whose door is being closed. */
  readonly #closing = new Set<string>()

  constructor(deps: Deps) {
    this.#deps = deps
    this.#watched = new Cache<Watched>(
      CACHED_SPACES,
      deps.bus.freshness,
      async (spaceId) => (await findSensor(deps.database, spaceId)) ?? null,
    )
  }

  receive(events: readonly Event[]): void {
    for (const { name, topic } of events) if (CHANGING.has(name)) this.#watched.drop(topic.tenantId)
  }

  /**
   * Counts a message without delaying its sender. Bots, the owner and members with a role are not counted, because the
   * door does not affect them.
   */
  note({ space_id, user_id, joined_at, roles }: Member): void {
    if (roles.length > 0 || Date.parse(joined_at) < Date.now() - NEW_MS) return
    this.#count(space_id, user_id).catch((error: Error) =>
      this.#deps.log.warn({ err: error }, 'the sensor of a space could not count a message'),
    )
  }

  async #count(spaceId: string, userId: string): Promise<void> {
    const watched = await this.#watched.get(spaceId)
    if (watched === null || watched.owner_id === userId) return
    const ofAuthor = counterOf(`${spaceId} ${userId}`, COUNTED_OF_AUTHOR)
    const ofSpace = counterOf(spaceId, MESSAGES_PER_JOIN * watched.least)
    if (!(await this.#take(ofAuthor)).isTaken) return
    // `isReached` is also true above the limit: the message that reached it may have failed to close the door.
    const { isReached } = await this.#take(ofSpace)
    if (!isReached || this.#closing.has(spaceId)) return
    this.#closing.add(spaceId)
    await this.#close(spaceId).finally(() => this.#closing.delete(spaceId))
    // Cleared, so that the next message does not close the door again if a moderator opens it soon.
    await this.#deps.counters.clear(ofSpace)
  }

  async #take(counter: RateCounter): Promise<{ isTaken: boolean; isReached: boolean }> {
    const decision = await this.#deps.counters.take([counter], Date.now())
    if (decision === undefined) return { isTaken: false, isReached: false }
    const { allowed: isTaken, closest } = decision
    // Compared with the current limit, because the window may have begun with another limit.
    return { isTaken, isReached: closest.limit - closest.remaining >= counter.limit }
  }

  async #close(spaceId: string): Promise<void> {
    await this.#deps.database.transactionIn(spaceId, async (transaction) => {
      const space = await lockSpace(transaction, spaceId)
      const sensor = await findSensor(transaction, spaceId)
      if (space === undefined || sensor === undefined) return
      await closeInRaid(transaction, space, { cause: 'messages', since: Date.now() - NEW_MS })
    })
  }
}

function counterOf(subject: string, limit: number): RateCounter {
  return { subject, name: 'newMessages', limit, windowMs: MINUTE_MS }
}
