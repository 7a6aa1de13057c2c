import ipaddr from 'ipaddr.js'

/** Ranges of addresses that nobody has on the internet. Those of tunnels, like 6to4 and Teredo, strangers can choose. */
const NEAR: ReadonlySet<string> = new Set([
  'loopback',
  'private',
  'uniqueLocal',
  'linkLocal',
  'carrierGradeNat',
])

/**
 * Returns whether the address belongs to this machine or to a private network. A limit per address does not apply there: the
 * address may be a proxy that TRUSTED_PROXIES lacks, and the limit would lock out everybody behind it.
 */
export function isNearAddress(address: string): boolean {
  return ipaddr.isValid(address) && NEAR.has(ipaddr.process(address).range())
}
