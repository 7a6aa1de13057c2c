import type { SlotRank } from './picture-pairs.ts'

/**
 * Returns the holder of each slot. Holders that are still wanted keep their slots. Newcomers take free slots: first
 * those whose own slot (rank 0) is free, then the others, by rank.
 * @param wanted the items that want a slot, the most important first. Items beyond the number of slots get none
 */
export function assignSlots<T extends object>(
  slots: readonly (T | undefined)[],
  wanted: readonly T[],
  rank: SlotRank<T>,
): (T | undefined)[] {
  const first = new Set([...new Set(wanted)].slice(0, slots.length))
  const assigned = slots.map((holder) => (holder !== undefined && first.delete(holder) ? holder : undefined))
  const bestOf = (item: T) => freeOf(assigned).toSorted((a, b) => rank(item, a) - rank(item, b))[0] ?? -1
  for (const newcomer of first) {
    const slot = bestOf(newcomer)
    if (rank(newcomer, slot) === 0 && first.delete(newcomer)) assigned[slot] = newcomer
  }
  for (const newcomer of first) assigned[bestOf(newcomer)] = newcomer
  return assigned
}

function freeOf(assigned: readonly unknown[]): number[] {
  return [...assigned.keys()].filter((slot) => assigned[slot] === undefined)
}
