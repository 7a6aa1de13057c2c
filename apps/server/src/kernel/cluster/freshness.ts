/**
 * Proves that this process has received all events, and may answer from its caches. A single process always may.
 * With several processes, each needs a proof from the last moments. A process that was cut off or stopped for a while
 * queries the database until it has caught up.
 */
export class Freshness {
  #until = Number.POSITIVE_INFINITY
  #epoch = 0
  #awaited: PromiseWithResolvers<void> | undefined

  get isHeld(): boolean {
    return performance.now() < this.#until
  }

  /** Changes whenever everything cached so far may be stale. */
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

  /** Resolves at a moment when freshness is held. */
  async held(): Promise<void> {
    while (!this.isHeld) {
      this.#awaited ??= Promise.withResolvers()
      await this.#awaited.promise
    }
  }

  /** Ends freshness, which then has to be proved again. */
  end(): void {
    this.#until = 0
  }
}
