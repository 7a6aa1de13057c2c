/** Requests to one host at a time, per process and purpose: few processes run jobs. */
const MAX_OF_HOST = 3

/** Lets a few requests at a time to each host; the others wait in line. */
export class HostSlots {
  readonly #lines = new Map<string, { running: number; waiting: (() => void)[] }>()

  /** @throws the signal's reason, when it is aborted before it is one's turn */
  async run<T>(host: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    signal.throwIfAborted()
    await this.#enter(host, signal)
    try {
      signal.throwIfAborted()
      return await work()
    } finally {
      this.#leave(host)
    }
  }

  async #enter(host: string, signal: AbortSignal): Promise<void> {
    const line = this.#lines.get(host) ?? { running: 0, waiting: [] }
    this.#lines.set(host, line)
    if (line.running < MAX_OF_HOST) {
      line.running += 1
      return
    }
    const { promise, resolve } = Promise.withResolvers<void>()
    line.waiting.push(resolve)
    // Whoever gives up is let through to leave at once, in its turn.
    signal.addEventListener('abort', () => this.#giveUp(host, resolve), { once: true })
    await promise
  }

  #giveUp(host: string, turn: () => void): void {
    const line = this.#lines.get(host)
    const place = line?.waiting.indexOf(turn) ?? -1
    if (line === undefined || place < 0) return
    line.waiting.splice(place, 1)
    line.running += 1
    turn()
  }

  /** The place goes to whoever waits longest. */
  #leave(host: string): void {
    const line = this.#lines.get(host)
    if (line === undefined) return
    // Those who gave up passed through besides the others.
    const next = line.running > MAX_OF_HOST ? undefined : line.waiting.shift()
    if (next !== undefined) return next()
    line.running -= 1
    if (line.running === 0) this.#lines.delete(host)
  }
}
