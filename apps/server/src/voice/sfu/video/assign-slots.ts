/**
 * Returns who has the slots. Whoever keeps a slot stays in it; the others take those that are free.
 * @param wanted the most important first; those beyond the number of slots get none
 */
export function assignSlots<T extends object>(
  slots: readonly (T | undefined)[],
  wanted: readonly T[],
): (T | undefined)[] {
  const first = new Set([...new Set(wanted)].slice(0, slots.length))
  const assigned = slots.map((holder) => (holder !== undefined && first.delete(holder) ? holder : undefined))
  for (const newcomer of first) assigned[assigned.indexOf(undefined)] = newcomer
  return assigned
}
