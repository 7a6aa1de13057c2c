/** Sends changes of flags or watched pictures: the first at once, and then only the last of several in quick succession. */
export class FlagNotifier {
  readonly #notify: () => void
  readonly #intervalMs: number
  #pause: ReturnType<typeof setTimeout> | undefined
  #hasChanged = false

  /** @param intervalMs shortest time between two notifications */
  constructor(notify: () => void, intervalMs: number) {
    this.#notify = notify
    this.#intervalMs = intervalMs
  }

  changed(): void {
    this.#hasChanged = this.#pause !== undefined
    if (this.#hasChanged) return
    this.#notify()
    this.#pause = setTimeout(() => this.#goOn(), this.#intervalMs)
  }

  close(): void {
    clearTimeout(this.#pause)
    this.#pause = undefined
    this.#hasChanged = false
  }

  #goOn(): void {
    this.#pause = undefined
    if (this.#hasChanged) this.changed()
  }
}
