interface Flushable {
  flush(): void
}

/** About 5 ms of writing: what concerns many more connections must not keep everything else waiting. */
const WRITES_PER_TURN = 1000

/** Writes, once per turn of the event loop, what connections gathered until then. */
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
