import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { CertificatePair } from '#src/kernel/tls/pair.ts'

export interface HttpTarget {
  port: number
  /** Requests received, in order. */
  requests: { method: string; path: string; headers: IncomingMessage['headers']; to: string }[]
  close(): Promise<void>
}

/**
 * Starts a server to receive outgoing requests, on one address or, with 0.0.0.0, on all of this machine.
 * @param pair certificate for HTTPS; without one, it speaks HTTP
 */
export async function startTarget(
  answer: RequestListener,
  host = '127.0.0.1',
  port = 0,
  pair?: CertificatePair,
): Promise<HttpTarget> {
  const requests: HttpTarget['requests'] = []
  const listener: RequestListener = (request, response) => {
    const { method = '', url: path = '', headers, socket } = request
    requests.push({ method, path, headers, to: socket.localAddress ?? '' })
    answer(request, response)
  }
  const server =
    pair === undefined
      ? createServer(listener)
      : createSecureServer({ cert: pair.chain, key: pair.key }, listener)
  server.listen(port, host)
  await once(server, 'listening')
  return { port: portOf(server), requests, close: () => closeServer(server) }
}

function portOf(server: Server | SecureServer): number {
  const address: AddressInfo | string | null = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}

async function closeServer(server: Server | SecureServer): Promise<void> {
  server.closeAllConnections()
  server.close()
  await once(server, 'close')
}
