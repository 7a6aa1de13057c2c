import type { Socket } from 'node:net'

/** Connections between two parts, which can be cut, stalled and slowed. */
export class Wire {
  readonly #sockets = new Set<Socket>()
  #isStalled = false
  #bytesPerSecond = Number.POSITIVE_INFINITY

  /** Passes bytes in both directions until one side ends. */
  join(one: Socket, other: Socket): void {
    this.#pass(one, other)
    this.#pass(other, one)
  }

  /** Destroys both ends of every connection, as if a cable was pulled out. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Stops passing bytes. Neither side notices. */
  stall(): void {
    this.#isStalled = true
    for (const socket of this.#sockets) socket.pause()
  }

  /** @param bytesPerSecond limit of each connection in each direction */
  slow(bytesPerSecond: number): void {
    this.#bytesPerSecond = bytesPerSecond
  }

  /** Restores normal speed. */
  mend(): void {
    this.#isStalled = false
    this.#bytesPerSecond = Number.POSITIVE_INFINITY
    for (const socket of this.#sockets) socket.resume()
  }

  #pass(from: Socket, to: Socket): void {
    this.#sockets.add(from)
    from.on('data', (chunk: Buffer) => this.#forward(chunk, from, to))
    from.on('drain', () => this.#resume(to))
    from.on('end', () => to.end())
    // A `close` event follows, and its handler below cleans up.
    from.on('error', () => undefined)
    from.once('close', () => {
      this.#sockets.delete(from)
      to.destroySoon()
    })
    // Resumes a socket that its acceptor paused until a listener was attached.
    if (this.#isStalled) from.pause()
    else from.resume()
  }

  #forward(chunk: Buffer, from: Socket, to: Socket): void {
    const isTaken = to.write(chunk)
    if (!isTaken) from.pause()
    if (this.#bytesPerSecond === Number.POSITIVE_INFINITY) return
    from.pause()
    setTimeout(() => this.#resume(from), (chunk.length / this.#bytesPerSecond) * 1000)
  }

  #resume(socket: Socket): void {
    if (!this.#isStalled) socket.resume()
  }
}
