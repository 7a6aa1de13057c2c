/** A user's access to a channel. It is uncertain while a change is in flight. */
export type Sight = 'yes' | 'no' | 'either'

interface Mark {
  at: number
  sight: Sight
}

/** Access of users to channels over time, derived from acknowledged requests. All times are on one clock. */
export class Sights {
  readonly #marks = new Map<string, Mark[]>()

  /** Sets the access from now on. */
  set(userId: string, channelId: string, sight: Sight): void {
    const key = keyOf(userId, channelId)
    const marks = this.#marks.get(key) ?? []
    marks.push({ at: performance.now(), sight })
    this.#marks.set(key, marks)
  }

  now(userId: string, channelId: string): Sight {
    return this.#marks.get(keyOf(userId, channelId))?.at(-1)?.sight ?? 'no'
  }

  /** Time of the last change. */
  since(userId: string, channelId: string): number {
    return this.#marks.get(keyOf(userId, channelId))?.at(-1)?.at ?? 0
  }

  /** Returns true if the access has certainly been `sight` from `from` until now. */
  hasBeen(sight: Sight, userId: string, channelId: string, from: number): boolean {
    const isSo = this.now(userId, channelId) === sight
    return isSo && this.since(userId, channelId) <= from
  }

  /** Returns the changes, as evidence. */
  history(userId: string, channelId: string): readonly Mark[] {
    return this.#marks.get(keyOf(userId, channelId)) ?? []
  }
}

function keyOf(userId: string, channelId: string): string {
  return `${userId} ${channelId}`
}
