/** Maximum simultaneous requests to one host, per process and purpose. Few processes run jobs, so the total is small. */
const MAX_OF_HOST = 3

/** Limits the simultaneous requests to each host. Further requests wait in line. */
export class HostSlots {
  readonly #lines = new Map<string, { running: number; waiting: (() => void)[] }>()

  /** @throws the signal's reason if it is aborted while waiting */
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
    // A waiter whose signal aborts is let through beyond the limit: `run` throws, and frees the slot.
    signal.addEventListener('abort', () => this.#giveUp(host, resolve), { once: true })
    await promise
  }

  #giveUp(host: string, turn: () => void): void {
    const line = this.#lines.get(host)
    const index = line?.waiting.indexOf(turn) ?? -1
    if (line === undefined || index < 0) return
    line.waiting.splice(index, 1)
    line.running += 1
    turn()
  }

  /** Passes the slot to the longest waiting request. */
  #leave(host: string): void {
    const line = this.#lines.get(host)
    if (line === undefined) return
    // Waiters that gave up were let through beyond the limit.
    const next = line.running > MAX_OF_HOST ? undefined : line.waiting.shift()
    if (next !== undefined) return next()
    line.running -= 1
    if (line.running === 0) this.#lines.delete(host)
  }
}
