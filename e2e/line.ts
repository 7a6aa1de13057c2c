import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** `open` forwards all data. `deaf` drops the server's responses. `cut` breaks connections and refuses new ones. */
type LineState = 'open' | 'deaf' | 'cut'

/** A TCP proxy between a browser and the server. It can fail as networks do. */
export class Line {
  readonly url: string
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #state: LineState = 'open'

  /** @param target the address of the server */
  static async open(target: string): Promise<Line> {
    const server = createServer()
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return new Line(server, new URL(target))
  }

  private constructor(server: Server, target: URL) {
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('the line has no port')
    this.url = `http://127.0.0.1:${address.port}`
    this.#server = server
    server.on('connection', (socket) => this.#join(socket, target))
  }

  /** Drops the server's responses from now on. Requests still arrive. */
  deafen(): void {
    this.#state = 'deaf'
  }

  /** Breaks all connections and refuses new ones. */
  cut(): void {
    this.#state = 'cut'
    for (const socket of this.#sockets) socket.resetAndDestroy()
  }

  mend(): void {
    this.#state = 'open'
  }

  close(): void {
    this.cut()
    this.#server.close()
  }

  #join(near: Socket, { hostname, port }: URL): void {
    if (this.#state === 'cut') return void near.resetAndDestroy()
    const far = connect(Number(port), hostname)
    this.#hold(near, far)
    this.#hold(far, near)
    near.on('data', (bytes) => far.write(bytes))
    far.on('data', (bytes) => {
      if (this.#state === 'open') near.write(bytes)
    })
  }

  #hold(socket: Socket, other: Socket): void {
    this.#sockets.add(socket)
    socket.setNoDelay(true)
    // A `close` event follows, and its handler below cleans up.
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#sockets.delete(socket)
      other.destroy()
    })
  }
}
