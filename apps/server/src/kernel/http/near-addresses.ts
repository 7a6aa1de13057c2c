import ipaddr from 'ipaddr.js'

/**
 * Ranges without public addresses. Ranges of tunnels, such as 6to4 and Teredo, are not included, because strangers can
 * choose addresses in them.
 */
const NEAR: ReadonlySet<string> = new Set([
  'loopback',
  'private',
  'uniqueLocal',
  'linkLocal',
  'carrierGradeNat',
])

/**
 * Returns whether the address belongs to this machine or a private network. Limits per address do not apply to it:
 * it may be a proxy missing from TRUSTED_PROXIES, and a limit would lock out everyone who uses it.
 */
export function isNearAddress(address: string): boolean {
  return ipaddr.isValid(address) && NEAR.has(ipaddr.process(address).range())
}
