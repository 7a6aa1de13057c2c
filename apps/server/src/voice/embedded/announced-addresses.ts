import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/** Clients try them all: a machine with a hundred addresses, as of containers, would keep them busy. */
const MAX_OWN_ADDRESSES = 8
const LOOPBACK = ['127.0.0.1', '::1']

/**
 * Under which addresses clients are told to reach voice: those that the operator set, then the machine's own, for whoever
 * is in its network, and at last those that this machine alone can use.
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

/** They mean nothing without the name of an interface. */
function isLinkLocal(address: string): boolean {
  return ipaddr.parse(address).range() === 'linkLocal'
}
