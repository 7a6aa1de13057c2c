import type { SpaceSnapshot } from '#src/spaces/snapshots.ts'

/**
 * Rows that READY carries of a user's spaces. 40,000 are about 6 MB and half a second of one core; a space of the largest kind
 * has 6,250.
 */
export const MAX_READY_WEIGHT = 40_000

const weights = new WeakMap<SpaceSnapshot, number>()

/** Rows of the space: overwrites, roles, and rooms, which are twice as long and have read states. */
export function weightOf(snapshot: SpaceSnapshot): number {
  const known = weights.get(snapshot)
  if (known !== undefined) return known
  const { rooms, roles, overwrites } = snapshot
  const weight = [...overwrites.values()].reduce(
    (sum, { length }) => sum + length,
    2 * rooms.size + roles.size,
  )
  weights.set(snapshot, weight)
  return weight
}
