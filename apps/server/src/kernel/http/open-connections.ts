import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import { networkOf } from './rate-limiting.ts'

/** Connections of one address. A browser keeps about six open, and up to a few hundred people share an address. */
const MAX_CONNECTIONS_OF_ONE = 1000
/** File descriptors reserved for files, the database and child processes; a quarter if there are few. */
const RESERVED_DESCRIPTORS = 1000
const WARN_INTERVAL_MS = 60_000

export interface ConnectionBounds {
  /** Returns whether an address, such as a proxy's, may open any number of connections. */
  isExempt: (address: string) => boolean
  /** Connections of one address; 1,000 by default. */
  maxOfOne?: number
}

/**
 * Limits open connections, in total by the process's file descriptors, and per address. A connection over the limit
 * is closed before anything is read from it.
 * @param bounds undefined for no limit per address
 */
export function boundConnections(server: Server, log: Logger, bounds: ConnectionBounds | undefined): void {
  const warn = onceAMinute((address) => log.warn({ address }, 'connections are refused: too many are open'))
  server.maxConnections = connectionsWithin(openFilesLimit())
  server.on('drop', (data) => warn(data?.remoteAddress))
  if (bounds !== undefined) boundAddresses(server, bounds, warn)
}

function boundAddresses(server: Server, bounds: ConnectionBounds, warn: (address: string) => void): void {
  const { isExempt, maxOfOne = MAX_CONNECTIONS_OF_ONE } = bounds
  const open = new Map<string, number>()
  const leaving = new WeakMap<Socket, () => void>()
  server.on('connection', (socket: Socket) => {
    const address = socket.remoteAddress
    if (address === undefined || isExempt(address)) return
    const network = networkOf(address)
    const others = open.get(network) ?? 0
    if (others >= maxOfOne) {
      warn(address)
      socket.destroy()
      return
    }
    open.set(network, others + 1)
    const leave = onlyOnce(() => lower(open, network))
    leaving.set(socket, leave)
    socket.once('close', leave)
  })
  // The gateway counts its own connections, and accepts more of them.
  server.on('upgrade', ({ socket }) => leaving.get(socket)?.())
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
