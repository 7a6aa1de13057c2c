/** Whether somebody may see a channel. While a change is under way it can be either. */
export type Sight = 'yes' | 'no' | 'either'

interface Mark {
  at: number
  sight: Sight
}

/** Who may see which channel, and since when, by what was asked of the server and acknowledged. All on one clock. */
export class Sights {
  readonly #marks = new Map<string, Mark[]>()

  /** From now on it is so. */
  set(userId: string, channelId: string, sight: Sight): void {
    const key = keyOf(userId, channelId)
    const marks = this.#marks.get(key) ?? []
    marks.push({ at: performance.now(), sight })
    this.#marks.set(key, marks)
  }

  now(userId: string, channelId: string): Sight {
    return this.#marks.get(keyOf(userId, channelId))?.at(-1)?.sight ?? 'no'
  }

  /** Since when it has been as it is now. */
  since(userId: string, channelId: string): number {
    return this.#marks.get(keyOf(userId, channelId))?.at(-1)?.at ?? 0
  }

  /** Whether it was so, without a doubt, all the time from `from` to now. */
  hasBeen(sight: Sight, userId: string, channelId: string, from: number): boolean {
    const isSo = this.now(userId, channelId) === sight
    return isSo && this.since(userId, channelId) <= from
  }

  /** As evidence. */
  history(userId: string, channelId: string): readonly Mark[] {
    return this.#marks.get(keyOf(userId, channelId)) ?? []
  }
}

function keyOf(userId: string, channelId: string): string {
  return `${userId} ${channelId}`
}
