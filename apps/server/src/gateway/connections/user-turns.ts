/** Runs one thing at a time for each user, in the order of request. */
export class UserTurns {
  /** Waiting requests by user. A user without an entry has nothing running. */
  readonly #waiting = new Map<string, (() => void)[]>()

  /** @returns false if something of the user is running */
  tryEnter(userId: string): boolean {
    if (this.#waiting.has(userId)) return false
    this.#waiting.set(userId, [])
    return true
  }

  /** Resolves when it is this request's turn. */
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
