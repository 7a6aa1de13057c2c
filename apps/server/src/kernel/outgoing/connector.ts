import type { LookupAddress, LookupOptions } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import type { Guard } from './guard.ts'

/** Time limit for connecting. The operating system would try for two minutes, even after the request was cancelled. */
const CONNECT_TIMEOUT_MS = 10_000

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

/**
 * Connects only to addresses that the guard allows. A name is resolved once, when connecting: with a separate check
 * before, the second lookup could return another address.
 */
export function guardedConnector(guard: Guard): buildConnector.connector {
  // A lookup does not know the port, so each port with special rules has its own connector.
  const byPort = new Map(guard.ports.map((port) => [port, connectorFor(guard, port)]))
  const others = connectorFor(guard, 0)
  return (options, callback) => {
    const port = portOf(options)
    const connect = byPort.get(port) ?? others
    // Node does not resolve literal addresses, so they are checked here.
    if (isIP(options.hostname) === 0) return connect(options, callback)
    guard.addressesOf(options.hostname, port).then(
      () => connect(options, callback),
      (error: unknown) => callback(asError(error), null),
    )
  }
}

/** Returns the port of a request. */
export function portOf({ port, protocol }: { port?: string; protocol: string }): number {
  return Number(port) || (DEFAULT_PORTS[protocol] ?? 0)
}

function connectorFor(guard: Guard, port: number): buildConnector.connector {
  return buildConnector({
    allowH2: false,
    timeout: CONNECT_TIMEOUT_MS,
    autoSelectFamily: true,
    lookup: guardedLookup(guard, port),
  })
}

function guardedLookup(guard: Guard, port: number): LookupFunction {
  return (host, { all, family }: LookupOptions, callback) => {
    const answer = (addresses: LookupAddress[]) => {
      const fitting = addresses.filter((address) => !family || address.family === familyNumber(family))
      const [first] = fitting
      if (first === undefined) return callback(new Error(`${host} has no address`), '')
      return all === true ? callback(null, fitting) : callback(null, first.address, first.family)
    }
    guard.addressesOf(host, port).then(answer, (error: unknown) => callback(asError(error), ''))
  }
}

function familyNumber(family: number | 'IPv4' | 'IPv6'): number {
  if (typeof family === 'number') return family
  return family === 'IPv4' ? 4 : 6
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
