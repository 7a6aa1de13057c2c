import ipaddr from 'ipaddr.js'

/**
 * Returns the address, or for IPv6 the network, that counts as one client: an IPv6 subscriber has 2⁶⁴ addresses, and
 * could otherwise use each. An IPv4-mapped address is IPv4.
 */
export function networkOf(address: string): string {
  if (!address.includes(':') || !ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4' ? parsed.toString() : firstGroups(parsed.toByteArray())
}

function firstGroups(bytes: readonly number[]): string {
  return `${Buffer.from(bytes.slice(0, 8)).toString('hex')}/64`
}
