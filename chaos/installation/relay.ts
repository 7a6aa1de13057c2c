import { connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net'
import { listenLocally } from './ports.ts'
import { Wire } from './wire.ts'

/** A proxy with its own port in front of a part of the installation. */
export class Relay {
  readonly port: number
  readonly wire: Wire
  readonly #server: Server

  private constructor(server: Server, port: number, wire: Wire) {
    this.#server = server
    this.port = port
    this.wire = wire
  }

  /** @param target called for each connection, because parts may move when they restart */
  static async open(target: () => NetConnectOpts): Promise<Relay> {
    const wire = new Wire()
    const server = createServer({ noDelay: true }, (socket) =>
      wire.join(socket, connect({ ...target(), noDelay: true })),
    )
    return new Relay(server, await listenLocally(server), wire)
  }

  close(): void {
    this.#server.close()
    this.wire.cut()
  }
}

/** Connects to a port; undefined when the connection is refused. */
export function tryToConnect(port: number): Promise<Socket | undefined> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  return new Promise((resolve) => {
    socket.once('connect', () => resolve(socket))
    socket.once('error', () => resolve(undefined))
  })
}
