import type { Socket } from 'node:net'
import type { App } from './types.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** `draining` is true once the server is stopping, so that load balancers send requests elsewhere. */
    lifecycle: { draining: boolean }
  }
}

/** Time for running requests to finish, of the 10 s in which the whole server stops. */
const DRAIN_MS = 5000
const CHECK_INTERVAL_MS = 50

/**
 * Lets `app.close()` end when the running requests have. Node closes only connections idle at that moment, and would
 * wait a minute for those that become idle later, or that browsers opened in advance.
 */
export function drainOnClose(app: App): void {
  const lifecycle = { draining: false }
  app.decorate('lifecycle', lifecycle)
  const sockets = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const closeIdle = () => {
    app.server.closeIdleConnections()
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }
  app.addHook('preClose', async () => {
    lifecycle.draining = true
    const checks = setInterval(closeIdle, CHECK_INTERVAL_MS)
    const end = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS)
    app.server.once('close', () => {
      clearInterval(checks)
      clearTimeout(end)
    })
  })
}
