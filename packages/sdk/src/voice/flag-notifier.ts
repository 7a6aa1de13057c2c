/** Says at once that one is muted or not, and of many changes in a row the last. */
export class FlagTeller {
  readonly #tell: () => void
  readonly #intervalMs: number
  #pause: ReturnType<typeof setTimeout> | undefined
  #isBehind = false

  /** @param intervalMs at the shortest between two times */
  constructor(tell: () => void, intervalMs: number) {
    this.#tell = tell
    this.#intervalMs = intervalMs
  }

  changed(): void {
    this.#isBehind = this.#pause !== undefined
    if (this.#isBehind) return
    this.#tell()
    this.#pause = setTimeout(() => this.#goOn(), this.#intervalMs)
  }

  close(): void {
    clearTimeout(this.#pause)
    this.#pause = undefined
    this.#isBehind = false
  }

  #goOn(): void {
    this.#pause = undefined
    if (this.#isBehind) this.changed()
  }
}
