interface Flushable {
  flush(): void
}

/** Writes, once per turn of the event loop, what connections gathered during it. */
export class Flusher {
  #waiting: Flushable[] = []

  add(connection: Flushable): void {
    if (this.#waiting.length === 0) setImmediate(() => this.#flush())
    this.#waiting.push(connection)
  }

  #flush(): void {
    const connections = this.#waiting
    this.#waiting = []
    for (const connection of connections) connection.flush()
  }
}
