/** Returns an IPv4-mapped IPv6 address as IPv4. A server that listens on all addresses sees IPv4 as ::ffff:192.0.2.1. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=[\d.]+$)/, '')
}
