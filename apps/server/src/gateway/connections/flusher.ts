interface Flushable {
  flush(): void
}

/**
 * Connections flushed per turn of the event loop, which takes about 5 ms. A frame for thousands of connections must not
 * block all other work.
 */
const WRITES_PER_TURN = 1000

/** Flushes connections once per turn of the event loop. */
export class Flusher {
  readonly #waiting: Flushable[] = []
  #scheduled = false

  add(connection: Flushable): void {
    this.#waiting.push(connection)
    if (!this.#scheduled) this.#schedule()
  }

  #schedule(): void {
    this.#scheduled = true
    setImmediate(() => this.#flush())
  }

  #flush(): void {
    this.#scheduled = false
    const connections = this.#waiting.splice(0, WRITES_PER_TURN)
    if (this.#waiting.length > 0) this.#schedule()
    for (const connection of connections) connection.flush()
  }
}
