import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/** Maximum addresses of this machine to announce. Clients try them all, and a machine with containers may have a hundred. */
const MAX_OWN_ADDRESSES = 8
const LOOPBACK: readonly string[] = ['127.0.0.1', '::1']

/**
 * Returns the addresses to announce to voice clients: first the operator's, then the network addresses of this machine,
 * and last the loopback addresses.
 */
export function announcedAddresses(
  publicIps: readonly string[],
  interfaces: ReturnType<typeof networkInterfaces> = networkInterfaces(),
): string[] {
  const own = Object.values(interfaces)
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address }) => !internal && !isLinkLocal(address))
    .map(({ address }) => address)
  return [...new Set([...publicIps, ...own.slice(0, MAX_OWN_ADDRESSES), ...LOOPBACK])]
}

/** Returns the ports of all voice processes; none if the system chooses free ports. */
export function portsFrom(first: number | undefined, processes: number): number[] {
  return first === undefined || first === 0
    ? []
    : Array.from({ length: processes }, (_, index) => first + index)
}

/** Returns whether browsers accept a candidate with this port at some address. */
export function isAllowedPort(port: number): boolean {
  return port >= 1024 || port === 80 || port === 443
}

/**
 * Returns whether browsers accept a candidate. Chromium allows ports below 1024 only if they are 80 or 443, at a public
 * address, and rejects a whole SDP answer if a single candidate has another port or address.
 */
export function isAllowedPlace(address: string, port: number): boolean {
  return port >= 1024 || (isAllowedPort(port) && ipaddr.parse(address).range() === 'unicast')
}

/** Returns whether an announced address only works on this machine. */
export function isLoopback(address: string): boolean {
  return LOOPBACK.includes(address)
}

/** Returns whether an address is link-local, and thus useless without the name of an interface. */
function isLinkLocal(address: string): boolean {
  return ipaddr.parse(address).range() === 'linkLocal'
}
