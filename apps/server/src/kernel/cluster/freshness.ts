/**
 * Whether this process knows what happened elsewhere, and so may answer from what it keeps. A process that is alone always
 * does. One of several must have proved it within the last moments: after it was cut off, or stopped for a while, it asks
 * the database until it has caught up.
 */
export class Freshness {
  #until = Number.POSITIVE_INFINITY
  #epoch = 0
  #awaited: PromiseWithResolvers<void> | undefined

  get isHeld(): boolean {
    return performance.now() < this.#until
  }

  /** Another number than before: what was kept until then may be stale. */
  get epoch(): number {
    return this.#epoch
  }

  /** @param until in milliseconds of `performance.now()` */
  holdUntil(until: number): void {
    if (!this.isHeld) this.#epoch += 1
    this.#until = until
    this.#awaited?.resolve()
    this.#awaited = undefined
  }

  /** Resolves at a moment when it is held. */
  async held(): Promise<void> {
    while (!this.isHeld) {
      this.#awaited ??= Promise.withResolvers()
      await this.#awaited.promise
    }
  }

  /** From here on it has to be proved. */
  end(): void {
    this.#until = 0
  }
}
