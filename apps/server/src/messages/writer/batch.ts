const MAX_BATCH = 200

/**
 * Takes the oldest entries for a batch and keeps the rest in order. An entry that repeats a key waits for the next
 * batch, which will find the key used. Stops at a full batch, so a long queue costs no more.
 * @param usedOnce keys that may occur once per batch
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
