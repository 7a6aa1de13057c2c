/** Journal ids that were heard lately: for at least `rememberedMs`, and at most twice as long. */
export class RecentIds {
  readonly #rememberedMs: number
  #current = new Set<string>()
  #previous = new Set<string>()
  #turnedAt = performance.now()

  constructor(rememberedMs: number) {
    this.#rememberedMs = rememberedMs
  }

  has(id: string): boolean {
    return this.#current.has(id) || this.#previous.has(id)
  }

  add(id: string): void {
    this.#turn()
    this.#current.add(id)
  }

  #turn(): void {
    const now = performance.now()
    if (now - this.#turnedAt < this.#rememberedMs) return
    this.#turnedAt = now
    this.#previous = this.#current
    this.#current = new Set()
  }
}
