import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import { networkOf } from './network-of.ts'

/** Maximum connections of one address. A browser keeps about six open, and up to a few hundred people share an address. */
const MAX_CONNECTIONS_OF_ONE = 1000
/** File descriptors reserved for files, the database and child processes; a quarter if there are few. */
const RESERVED_DESCRIPTORS = 1000
const WARN_INTERVAL_MS = 60_000

declare module 'fastify' {
  interface FastifyInstance {
    openConnections: OpenConnections
  }
}

export interface ConnectionBounds {
  /** Returns whether an address, such as a proxy's, may open any number of connections. */
  isExempt: (address: string) => boolean
  /** Maximum connections of one address; 1,000 by default. */
  maxOfOne?: number
}

/**
 * Limits open connections, in total by the process's file descriptors, and per address. A connection over the limit
 * is closed before anything is read from it.
 */
export class OpenConnections {
  readonly #bounds: ConnectionBounds | undefined
  readonly #open = new Map<string, number>()
  readonly #warn: (address: string | undefined) => void

  /** @param bounds undefined for no limit per address */
  constructor(log: Logger, bounds: ConnectionBounds | undefined) {
    this.#bounds = bounds
    this.#warn = onceAMinute((address) => log.warn({ address }, 'connections are refused: too many are open'))
  }

  /** @param share share of the process's file descriptors, from 0 to 1 */
  limit(server: Server, share = 1): void {
    server.maxConnections = connectionsWithin(openFilesLimit()) * share
    server.on('drop', (data) => this.#warn(data?.remoteAddress))
    if (this.#bounds !== undefined) this.#limitAddresses(server, this.#bounds)
  }

  #limitAddresses(server: Server, { isExempt, maxOfOne = MAX_CONNECTIONS_OF_ONE }: ConnectionBounds): void {
    const open = this.#open
    /** Key: address and port, because with TLS an upgrade has another socket than its connection. */
    const leaving = new Map<string, () => void>()
    server.on('connection', (socket: Socket) => {
      const address = socket.remoteAddress
      if (address === undefined || isExempt(address)) return
      const network = networkOf(address)
      const others = open.get(network) ?? 0
      if (others >= maxOfOne) {
        this.#warn(address)
        socket.destroy()
        return
      }
      open.set(network, others + 1)
      const end = endOf(socket)
      const leave = onlyOnce(() => lower(open, network))
      leaving.set(end, leave)
      socket.once('close', () => {
        leave()
        if (leaving.get(end) === leave) leaving.delete(end)
      })
    })
    // WebSockets are no longer counted here: the gateway counts them itself, and accepts more.
    server.on('upgrade', ({ socket }) => leaving.get(endOf(socket))?.())
  }
}

function endOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}

function lower(counts: Map<string, number>, key: string): void {
  const count = (counts.get(key) ?? 0) - 1
  if (count <= 0) counts.delete(key)
  else counts.set(key, count)
}

function onlyOnce(work: () => void): () => void {
  let done = false
  return () => {
    if (!done) work()
    done = true
  }
}

function onceAMinute(warn: (address: string | undefined) => void): typeof warn {
  let quietUntil = 0
  return (address) => {
    if (Date.now() < quietUntil) return
    quietUntil = Date.now() + WARN_INTERVAL_MS
    warn(address)
  }
}

function connectionsWithin(descriptors: number): number {
  return descriptors - Math.min(RESERVED_DESCRIPTORS, Math.floor(descriptors / 4))
}

/** File descriptors this process may use; Infinity if the system has no limit. */
function openFilesLimit(): number {
  // With network data, the report would resolve the names of addresses.
  Reflect.set(process.report, 'excludeNetwork', true)
  const limits: unknown = Reflect.get(process.report.getReport(), 'userLimits')
  return softLimitIn(limits) ?? Number.POSITIVE_INFINITY
}

function softLimitIn(limits: unknown): number | undefined {
  if (typeof limits !== 'object' || limits === null) return undefined
  const files: unknown = Reflect.get(limits, 'open_files')
  if (typeof files !== 'object' || files === null) return undefined
  const soft: unknown = Reflect.get(files, 'soft')
  return typeof soft === 'number' ? soft : undefined
}
