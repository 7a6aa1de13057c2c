import { createServer, type Server, type Socket } from 'node:net'
import { listenLocally } from './ports.ts'
import { tryToConnect } from './relay.ts'
import type { Wire } from './wire.ts'

/** A process that the front door connects to. */
export interface Backend {
  port: number
  /** Wire that carries all connections of clients. */
  clients: Wire
}

/** The address for clients. Connections go to the next process that accepts them, in turn. */
export class FrontDoor {
  readonly url: string
  readonly #server: Server
  readonly #backends: readonly Backend[]
  #turn = 0

  private constructor(server: Server, port: number, backends: readonly Backend[]) {
    this.#server = server
    this.#backends = backends
    this.url = `http://127.0.0.1:${port}`
    server.on('connection', (socket) => void this.#admit(socket))
  }

  static async open(backends: readonly Backend[]): Promise<FrontDoor> {
    const server = createServer({ noDelay: true, pauseOnConnect: true })
    return new FrontDoor(server, await listenLocally(server), backends)
  }

  close(): void {
    this.#server.close()
  }

  async #admit(client: Socket): Promise<void> {
    client.on('error', () => undefined)
    const first = this.#turn++
    for (let step = 0; step < this.#backends.length; step += 1) {
      const backend = this.#backends[(first + step) % this.#backends.length]
      const server = backend && (await tryToConnect(backend.port))
      if (backend === undefined || server === undefined) continue
      backend.clients.join(client, server)
      return
    }
    client.destroy()
  }
}
