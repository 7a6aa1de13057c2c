import type { Socket } from 'node:net'
import type { App } from './types.ts'

/** Requests under way get this long to finish, of the 10 s in which the whole server stops. */
const DRAIN_MS = 8000
const CHECK_INTERVAL_MS = 100

/**
 * Lets `app.close()` end when the requests under way have. Node closes the connections that are idle at that moment, and
 * would wait a minute for those that become idle later, and for those that browsers open ahead and send nothing on.
 */
export function drainOnClose(app: App): void {
  const sockets = new Set<Socket>()
  app.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const closeIdle = () => {
    app.server.closeIdleConnections()
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }
  const timers: NodeJS.Timeout[] = []
  app.addHook('preClose', async () => {
    timers.push(setInterval(closeIdle, CHECK_INTERVAL_MS))
    timers.push(setTimeout(() => app.server.closeAllConnections(), DRAIN_MS))
  })
  app.addHook('onClose', async () => {
    for (const timer of timers) clearTimeout(timer)
  })
}
