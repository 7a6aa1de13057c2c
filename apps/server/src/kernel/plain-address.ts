/** Returns an IPv4 address as such. A server that listens on all addresses sees it as ::ffff:192.0.2.1. */
export function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=[\d.]+$)/, '')
}
