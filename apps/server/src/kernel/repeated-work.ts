/** Runs work at intervals and on request, one run at a time. A request during a run starts another run after it. */
export class RepeatedWork {
  readonly #work: () => Promise<void>
  readonly #timer: NodeJS.Timeout
  #running: Promise<void> | undefined
  #isAsked = false
  #hasEnded = false

  /**
   * @param work does not throw
   * @param everyMs interval of the regular runs
   */
  constructor(work: () => Promise<void>, everyMs: number) {
    this.#work = work
    this.#timer = setInterval(() => this.ask(), everyMs).unref()
  }

  /** Starts a run now, or right after the current run. */
  ask(): void {
    this.#isAsked = true
    if (this.#hasEnded) return
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
    })
  }

  /** Starts no further runs, and waits for the current one. */
  async end(): Promise<void> {
    this.#hasEnded = true
    clearInterval(this.#timer)
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#isAsked && !this.#hasEnded) {
      this.#isAsked = false
      await this.#work()
    }
  }
}
