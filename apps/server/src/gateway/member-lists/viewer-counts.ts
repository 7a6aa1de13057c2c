import type { Queryable } from '#src/kernel/sql/sql.ts'
import { countByRoles, listPlaced } from '#src/members/list-queries.ts'
import type { RoomViewers } from './room-viewers.ts'

/**
 * Maximum share of time for counting. In a space of 100,000 members, half of them with a deciding role, a count takes
 * 100 ms.
 */
const SHARE = 0.05

/** Counts the members who may view the rooms of a large space, since its lists only contain online members. */
export class ViewerCounts {
  readonly #database: Queryable
  readonly #spaceId: string
  #counts = new WeakMap<RoomViewers, number>()
  #isStale = false
  #mayRecountAt = Number.NEGATIVE_INFINITY

  constructor(database: Queryable, spaceId: string) {
    this.#database = database
    this.#spaceId = spaceId
  }

  /** Returns the number of viewers; undefined if they have not been counted yet. */
  of(viewers: RoomViewers): number | undefined {
    return this.#counts.get(viewers)
  }

  /** Marks the counts as stale: members came, went, or changed roles. */
  doubt(): void {
    this.#isStale = true
  }

  /**
   * Counts viewers who have not been counted yet, and recounts all if the counts are stale and a recount is due.
   * @returns true if the counts are current; otherwise call `refresh` again later
   */
  async refresh(all: readonly RoomViewers[], memberCount: number): Promise<boolean> {
    const mayRecount = performance.now() >= this.#mayRecountAt
    const isDue = this.#isStale && mayRecount
    const uncounted = isDue ? all : all.filter((viewers) => !this.#counts.has(viewers))
    if (isDue) this.#isStale = false
    const counts = await this.#count(uncounted, memberCount)
    // Drops counts of rooms that are not seen at the moment.
    if (isDue) this.#counts = new WeakMap(counts)
    else for (const [viewers, count] of counts) this.#counts.set(viewers, count)
    return all.length === 0 || !this.#isStale
  }

  async #count(uncounted: readonly RoomViewers[], memberCount: number): Promise<[RoomViewers, number][]> {
    const began = performance.now()
    const counts: [RoomViewers, number][] = []
    try {
      for (const viewers of uncounted) counts.push([viewers, await this.#find(viewers, memberCount)])
      return counts
    } catch (error) {
      this.#isStale = true
      throw error
    } finally {
      const now = performance.now()
      this.#mayRecountAt = Math.max(this.#mayRecountAt, now + (now - began) / SHARE)
    }
  }

  async #find({ roleIds, userIds, includes }: RoomViewers, memberCount: number): Promise<number> {
    const [holders, singled] = await Promise.all([
      countByRoles(this.#database, this.#spaceId, roleIds),
      listPlaced(this.#database, this.#spaceId, userIds),
    ])
    const others = memberCount - holders.reduce((sum, { members }) => sum + members, 0)
    const kinds = [{ roles: [], members: others }, ...holders]
    const counted = kinds
      .filter(({ roles }) => includes({ userId: '', roles }))
      .reduce((sum, { members }) => sum + members, 0)
    const corrections = singled.map(
      ({ user_id, roles }) =>
        Number(includes({ userId: user_id, roles })) - Number(includes({ userId: '', roles })),
    )
    return corrections.reduce((sum, correction) => sum + correction, counted)
  }
}
