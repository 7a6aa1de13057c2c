import type { LookupAddress, LookupOptions } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import type { Guard } from './guard.ts'

/** Afterwards nobody may wait any more, and the operating system would try for two minutes. */
const CONNECT_TIMEOUT_MS = 10_000

/**
 * Makes connections to addresses that the guard lets through, and to no other: the name is resolved here, at the moment
 * of connecting, so that no second answer of a resolver counts.
 */
export function guardedConnector(guard: Guard): buildConnector.connector {
  const connect = buildConnector({
    allowH2: false,
    timeout: CONNECT_TIMEOUT_MS,
    autoSelectFamily: true,
    lookup: guardedLookup(guard),
  })
  return (options, callback) => {
    // Node does not look addresses up: they are judged before.
    if (isIP(options.hostname) === 0) return connect(options, callback)
    guard.addressesOf(options.hostname).then(
      () => connect(options, callback),
      (error: unknown) => callback(asError(error), null),
    )
  }
}

function guardedLookup(guard: Guard): LookupFunction {
  return (host, { all, family }: LookupOptions, callback) => {
    const answer = (addresses: LookupAddress[]) => {
      const fitting = addresses.filter((address) => !family || address.family === familyNumber(family))
      const [first] = fitting
      if (first === undefined) return callback(new Error(`${host} has no address`), '')
      return all === true ? callback(null, fitting) : callback(null, first.address, first.family)
    }
    guard.addressesOf(host).then(answer, (error: unknown) => callback(asError(error), ''))
  }
}

function familyNumber(family: number | 'IPv4' | 'IPv6'): number {
  if (typeof family === 'number') return family
  return family === 'IPv4' ? 4 : 6
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
