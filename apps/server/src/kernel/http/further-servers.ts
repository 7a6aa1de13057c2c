import type { Server } from 'node:http'
import type { ListenOptions } from 'node:net'
import { KEEP_ALIVE_MS } from './connection-options.ts'
import { ServerConnections } from './draining.ts'
import type { App } from './types.ts'

/** Events by which a server hands over requests. */
const REQUEST_EVENTS = ['request', 'upgrade', 'checkContinue', 'checkExpectation', 'clientError']

/**
 * Gives a further server the limits of the app's own server, and ends it with the app.
 * @param share share of the process's file descriptors, from 0 to 1
 */
export function joinServer(app: App, server: Server, share: number): void {
  server.keepAliveTimeout = KEEP_ALIVE_MS
  // Disabled as on the app's own server: `limitBodyTime` limits the time of bodies instead.
  server.requestTimeout = 0
  app.openConnections.limit(server, share)
  app.lifecycle.furtherServers.push(new ServerConnections(server))
}

/** Lets the app answer the requests of a further server. */
export function forwardRequests(server: Server, app: App): void {
  for (const event of REQUEST_EVENTS) server.on(event, (...given) => void app.server.emit(event, ...given))
}

/** Resolves when the server listens. Rejects with the error of the system, such as EACCES. */
export async function listening(server: Server, options: ListenOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  server.once('error', reject)
  server.listen(options, resolve)
  try {
    await promise
  } finally {
    server.off('error', reject)
  }
}
