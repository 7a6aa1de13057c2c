import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A TCP proxy in front of a server, on its own port. */
export interface Relay {
  port: number
  /** Closes all connections, and refuses new ones until `mend`. */
  cut(): void
  mend(): void
  close(): void
}

export async function openRelay(targetPort: number): Promise<Relay> {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer({ noDelay: true }, (socket) => {
    const target = connect({ port: targetPort, host: '127.0.0.1', noDelay: true })
    for (const [from, to] of [
      [socket, target],
      [target, socket],
    ] as const) {
      sockets.add(from)
      from.on('error', () => undefined)
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      from.pipe(to)
    }
    if (isCut) socket.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cut = () => {
    isCut = true
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: portOf(server.address()),
    cut,
    mend() {
      isCut = false
    },
    close() {
      cut()
      server.close()
    },
  }
}

function portOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('it does not listen at a port')
  return address.port
}
