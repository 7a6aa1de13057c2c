/** Lets each user do one thing at a time, in the order in which they asked. */
export class UserTurns {
  /** Those who wait, by user; a user without an entry does nothing. */
  readonly #waiting = new Map<string, (() => void)[]>()

  /** @returns false where the user does something already */
  tryEnter(userId: string): boolean {
    if (this.#waiting.has(userId)) return false
    this.#waiting.set(userId, [])
    return true
  }

  /** Resolves when it is this one's turn. */
  async enter(userId: string): Promise<void> {
    if (this.tryEnter(userId)) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.get(userId)?.push(resolve)
    await promise
  }

  leave(userId: string): void {
    const next = this.#waiting.get(userId)?.shift()
    if (next === undefined) this.#waiting.delete(userId)
    else next()
  }
}
