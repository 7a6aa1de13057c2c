/** Runs one request at a time per key, in order of arrival. A key is a user, or stands for all bots of one owner. */
export class UserTurns {
  /** Waiting requests by key. A key has an entry, perhaps empty, while one of its requests runs. */
  readonly #waiting = new Map<string, (() => void)[]>()

  /** @returns false while another turn of the key is running */
  tryEnter(key: string): boolean {
    if (this.#waiting.has(key)) return false
    this.#waiting.set(key, [])
    return true
  }

  /** Resolves when it is this request's turn. */
  async enter(key: string): Promise<void> {
    if (this.tryEnter(key)) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.get(key)?.push(resolve)
    await promise
  }

  leave(key: string): void {
    const next = this.#waiting.get(key)?.shift()
    if (next === undefined) this.#waiting.delete(key)
    else next()
  }
}
