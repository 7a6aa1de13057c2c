const MAX_BATCH = 200

/**
 * The oldest that wait, and the rest in their order. What repeats something is left for the next batch, which will find it
 * used. Of a long queue no more is looked at than is taken: it is as long when there is the least time for it.
 * @param usedOnce what no other of the same batch may have
 */
export function takeBatch<Entry>(
  waiting: readonly Entry[],
  usedOnce: (entry: Entry) => readonly string[],
): { batch: Entry[]; rest: Entry[] } {
  const used = new Set<string>()
  const [batch, left]: [Entry[], Entry[]] = [[], []]
  for (const [index, entry] of waiting.entries()) {
    if (batch.length === MAX_BATCH) return { batch, rest: left.concat(waiting.slice(index)) }
    const keys = usedOnce(entry)
    const fits = !keys.some((key) => used.has(key))
    if (fits) addAll(used, keys)
    const side = fits ? batch : left
    side.push(entry)
  }
  return { batch, rest: left }
}

function addAll(used: Set<string>, keys: readonly string[]): void {
  for (const key of keys) used.add(key)
}
