import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { Server as TlsServer } from 'node:tls'
import type { App } from './types.ts'

declare module 'fastify' {
  interface FastifyInstance {
    lifecycle: {
      /** True while the process already listens, but a part of it has not started. Its start may still fail. */
      starting: boolean
      /** True once the server is stopping, so that load balancers send requests elsewhere. */
      draining: boolean
      /** Further servers that hand their requests to the app, and end with it. */
      furtherServers: ServerConnections[]
    }
  }
}

/** Time for running requests to finish, of the 10 s in which the whole server stops. */
const DRAIN_MS = 5000
const CHECK_INTERVAL_MS = 50

/** Makes `app.close()` resolve once the running requests have ended, or after DRAIN_MS. */
export function drainOnClose(app: App): void {
  const connections = new ServerConnections(app.server)
  const furtherServers: ServerConnections[] = []
  const lifecycle = { starting: false, draining: false, furtherServers }
  app.decorate('lifecycle', lifecycle)
  let closed: Promise<unknown> = Promise.resolve()
  app.addHook('preClose', async () => {
    lifecycle.draining = true
    connections.drain()
    closed = Promise.all(furtherServers.map((server) => server.close()))
  })
  app.addHook('onClose', async () => {
    await closed
  })
}

/**
 * Tracks the connections of a server, to close them when it stops. Node closes only those that are idle at that moment,
 * and would wait a minute for those that become idle later, or that browsers opened in advance.
 */
export class ServerConnections {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  constructor(server: Server) {
    this.#server = server
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
  }

  /** Closes connections as soon as they are idle, and all of them after DRAIN_MS. Called after the server stops listening. */
  drain(): void {
    const checks = setInterval(() => this.#closeIdle(), CHECK_INTERVAL_MS)
    const end = setTimeout(() => this.#closeAll(), DRAIN_MS)
    this.#server.once('close', () => {
      clearInterval(checks)
      clearTimeout(end)
    })
  }

  /** Stops listening, and resolves when the last connection has ended. */
  async close(): Promise<void> {
    if (!this.#server.listening) return
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.drain()
    await closed
  }

  #closeIdle(): void {
    this.#server.closeIdleConnections()
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy()
  }

  #closeAll(): void {
    this.#server.closeAllConnections()
    // The HTTPS server does not yet know connections whose TLS handshake is not finished.
    if (this.#server instanceof TlsServer) for (const socket of this.#sockets) socket.destroy()
  }
}
